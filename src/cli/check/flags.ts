import type { JsonObject } from "../../platform/store/index.ts";
import { parseDurationMs, UnitError } from "../../platform/units/index.ts";
import { type CheckProfile, checkProfiles } from "../../validation/checks/check.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";
import { parseOptions, type RunFlags } from "./run-environment.ts";

export interface CheckFlags extends RunFlags {
  readonly profile?: CheckProfile;
  /** Whether it is a gate before a job, which is a short set of questions and no check of its own. */
  readonly isGate: boolean;
  /** With a gate: how many GPUs this machine must have. */
  readonly gpus?: number;
}

/** The profile of a gate. */
export const gateProfile = "prolog";
const gpusMax = 64;

const command = "check run";

/** The flags of `tessera check run`. Throws E_USAGE. */
export function checkFlags({ args, options }: Pick<Invocation, "args" | "options">): CheckFlags {
  const [check] = args;
  const { profile, timeout, options: checkOptions, resultUrl, resultDir, gpus } = options;
  const isGate = profile === gateProfile;
  if (typeof gpus === "string" && !isGate) {
    throw usageError(command, `\`--gpus\` is for \`--profile ${gateProfile}\``);
  }
  const isProfile = (value: unknown): value is CheckProfile =>
    checkProfiles.some((known) => known === value);
  return {
    ...(check === undefined ? {} : { check }),
    ...(isProfile(profile) ? { profile } : {}),
    isGate,
    ...(typeof gpus === "string" ? { gpus: gpusOf(gpus) } : {}),
    ...(typeof timeout === "string" ? { timeoutMs: timeoutOf(timeout) } : {}),
    ...(typeof checkOptions === "string" ? { checkOptions: optionsOf(checkOptions) } : {}),
    ...(typeof resultUrl === "string" ? { resultUrl } : {}),
    ...(typeof resultDir === "string" ? { resultDir } : {}),
  };
}

/**
 * The profile of a run and the options that are left for the check: `profile` may stand among the
 * options of a check in the configuration, and the command line outweighs it.
 */
export function splitProfile(
  { profile: named, ...rest }: JsonObject,
  flag: CheckProfile | undefined,
): { readonly profile: CheckProfile; readonly options: JsonObject } {
  const known = checkProfiles.find((profile) => profile === named);
  // What is no profile stays an option, for the check to take or refuse.
  const options = named === undefined || known !== undefined ? rest : { ...rest, profile: named };
  return { profile: flag ?? known ?? "standard", options };
}

function timeoutOf(text: string): number {
  try {
    const timeoutMs = parseDurationMs(text);
    if (timeoutMs > 0) return timeoutMs;
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
  }
  throw usageError(command, `\`--timeout ${text}\` is not a duration such as 30s or 10m`);
}

function gpusOf(text: string): number {
  const gpus = Number(text);
  if (/^\d+$/.test(text) && gpus <= gpusMax) return gpus;
  throw usageError(command, `\`--gpus ${text}\` is not a number from 0 to ${gpusMax}`);
}

function optionsOf(text: string): JsonObject {
  const options = parseOptions(text);
  if (options !== undefined) return options;
  throw usageError(command, "`--options` takes one JSON object");
}
