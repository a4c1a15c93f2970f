import type { CudaFault } from "../../hardware/objects/index.ts";
import { parseDurationMs, UnitError } from "../../platform/units/index.ts";
import { textOption } from "../actor.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";
import { lastsDefault } from "./control-option.ts";

const dayMs = 86_400_000;

/** What shall go wrong, from the flags of `tessera hw shim arm`. Throws E_USAGE. */
export function cudaFaultOf({ options, globals }: Invocation, command: string): CudaFault {
  const flag = (name: string): string | undefined => textOption(options, name);
  const xid = wholeNumber(flag("xid"), "--xid", command);
  if (xid === undefined) throw usageError(command, "`--xid` is missing: which error?");
  const gpus = flag("gpus");
  const afterCalls = wholeNumber(flag("afterCalls"), "--after-calls", command);
  const afterMs = duration(flag("after"), "--after", command);
  const probability = flag("probability");
  const latencyMs = duration(flag("latency"), "--latency", command);
  const seed = wholeNumber(globals.seed, "--seed", command);
  return {
    xid,
    ...(gpus === undefined ? {} : { gpus: gpuNumbers(gpus, command) }),
    ...(afterCalls === undefined ? {} : { afterCalls }),
    ...(afterMs === undefined ? {} : { afterMs }),
    ...(probability === undefined ? {} : { probability: share(probability, command) }),
    ...(latencyMs === undefined ? {} : { latencyUs: latencyMs * 1000 }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** How long from now, from `--for`. Throws E_USAGE. */
export function lastsMs({ options }: Invocation, command: string): number {
  const text = textOption(options, "for") ?? lastsDefault;
  const durationMs = duration(text, "--for", command) ?? 0;
  if (durationMs > 0 && durationMs <= dayMs) return durationMs;
  throw usageError(command, `\`--for ${text}\` must be above 0 and at most a day`);
}

function duration(text: string | undefined, flag: string, command: string): number | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDurationMs(text);
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
  }
  throw usageError(command, `\`${flag} ${text}\` is not a duration such as 50us, 5s or 10m`);
}

function wholeNumber(text: string | undefined, flag: string, command: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw usageError(command, `\`${flag} ${text}\` is not a whole number`);
}

function gpuNumbers(text: string, command: string): readonly number[] {
  const numbers = text.split(",").map(Number);
  if (/^\d+(,\d+)*$/.test(text) && numbers.every((gpu) => gpu <= 63)) return numbers;
  throw usageError(command, `\`--gpus ${text}\` is not a list of numbers from 0 to 63 such as 0,1`);
}

function share(text: string, command: string): number {
  const number = Number(text);
  if (/^[\d.]+$/.test(text) && number >= 0 && number <= 1) return number;
  throw usageError(command, `\`--probability ${text}\` is not a number from 0 to 1`);
}
