import type { WorkloadRef } from "../../hardware/objects/index.ts";
import { parseDurationMs, UnitError } from "../../platform/units/index.ts";
import { textOption } from "../actor.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

type Options = Invocation["options"];

/** A flag that must be given. @throws E_USAGE */
export function requiredText(command: string, options: Options, name: string): string {
  const text = textOption(options, name);
  if (text !== undefined && text !== "") return text;
  throw usageError(command, `\`--${name}\` is missing`);
}

/** A whole number in a range; undefined when the flag is not given. @throws E_USAGE */
export function integerFlag(
  command: string,
  options: Options,
  flag: {
    readonly name: string;
    readonly shown: string;
    readonly min: number;
    readonly max: number;
  },
): number | undefined {
  const text = textOption(options, flag.name);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= flag.min && value <= flag.max) return value;
  const range = `a whole number from ${flag.min} to ${flag.max}`;
  throw usageError(command, `\`${flag.shown} ${text}\` is not ${range}`);
}

/** A duration in whole seconds, at least one; undefined when the flag is not given. @throws E_USAGE */
export function secondsFlag(
  command: string,
  options: Options,
  name: string,
  min = 1,
): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  try {
    const seconds = Math.ceil(parseDurationMs(text) / 1000);
    if (seconds >= min) return seconds;
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
  }
  throw usageError(command, `\`--${name} ${text}\` is not a duration such as 30s or 10m`);
}

const kinds = ["deployment", "statefulset", "leaderworkerset"] as const;

/** The workload that flags name; undefined when none does. @throws E_USAGE for more than one */
export function workloadFlag(
  command: string,
  options: Options,
  namespace: string,
): WorkloadRef | undefined {
  const given = kinds.flatMap((kind) => {
    const name = textOption(options, kind);
    return name === undefined ? [] : [{ kind, name, namespace }];
  });
  if (given.length <= 1) return given[0];
  throw usageError(command, "only one workload can be named");
}
