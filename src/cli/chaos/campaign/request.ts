import { resolve } from "node:path";
import { runsMax } from "../../../chaos/campaign/run-campaign.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { Invocation } from "../../invocation.ts";
import { usageError } from "../../usage-error.ts";

/** What the command line asks for. */
export interface CampaignRequest {
  readonly from: number;
  readonly to: number;
  readonly timeBoxMs: number | undefined;
  readonly workers: number;
  /** Under which the runs are kept in the store; undefined: nobody asked for it. */
  readonly name: string | undefined;
  /** Absolute; undefined: nothing is saved. */
  readonly out: string | undefined;
  /** Absolute. */
  readonly html: string | undefined;
}

const minutesMax = 7 * 24 * 60;
export const workersMax = 64;

/** Reads the options of `tessera chaos campaign`. @throws E_USAGE, E_CAMPAIGN */
export function readCampaignRequest(
  { options, io }: Pick<Invocation, "options" | "io">,
  processors: number,
): CampaignRequest {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  const pathOf = (name: string): string | undefined => {
    const given = text(name);
    return given === undefined ? undefined : resolve(io.cwd, given);
  };
  const minutes = text("minutes");
  return {
    ...rangeOf(text("runs"), text("range"), minutes !== undefined),
    timeBoxMs: minutes === undefined ? undefined : 60_000 * minutesOf(minutes),
    workers: workersOf(text("workers"), processors, "chaos campaign"),
    name: nameOf(text("name")),
    out: pathOf("out"),
    html: pathOf("html"),
  };
}

/** How many runs are made at once. @throws E_USAGE */
export function workersOf(given: string | undefined, processors: number, command: string): number {
  if (given === undefined) return Math.max(1, Math.min(processors, workersMax));
  const count = wholeOf(given);
  if (count !== undefined && count >= 1 && count <= workersMax) return count;
  throw usageError(
    command,
    `--workers is ${JSON.stringify(given)}, not a whole number from 1 to ${workersMax}.`,
  );
}

function rangeOf(
  runs: string | undefined,
  range: string | undefined,
  hasTimeBox: boolean,
): { readonly from: number; readonly to: number } {
  if (runs !== undefined && range !== undefined) {
    throw usage("Give --runs or --range, not both: a range says how many there are.");
  }
  if (range !== undefined) return stretchOf(range);
  if (runs === undefined) {
    if (hasTimeBox) return { from: 0, to: runsMax };
    throw campaignError("nobody says how long: neither --runs, --range nor --minutes is given");
  }
  const to = wholeOf(runs);
  if (to === undefined || to < 1 || to > runsMax) {
    throw usage(`--runs is ${JSON.stringify(runs)}, not a whole number from 1 to ${runsMax}.`);
  }
  return { from: 0, to };
}

function stretchOf(text: string): { readonly from: number; readonly to: number } {
  const [, first, last] = /^(\d{1,12}):(\d{1,12})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) {
    throw usage(`--range is ${JSON.stringify(text)}, not two whole numbers such as 100:200.`);
  }
  const [from, to] = [Number(first), Number(last)];
  if (to <= from) throw campaignError(`the range ${text} is empty`);
  if (to - from > runsMax) throw campaignError(`the range ${text} has more than ${runsMax} runs`);
  return { from, to };
}

function minutesOf(text: string): number {
  const minutes = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (minutes > 0 && minutes <= minutesMax) return minutes;
  throw usage(
    `--minutes is ${JSON.stringify(text)}, not a number above 0 and up to ${minutesMax}.`,
  );
}

function nameOf(given: string | undefined): string | undefined {
  if (given === undefined || /^[\w.:-]{1,100}$/.test(given)) return given;
  const rule = "letters, digits and . _ : -, at most 100";
  throw usage(`--name is ${JSON.stringify(given)}; a name has ${rule}.`);
}

export function wholeOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function usage(problem: string): TesseraError {
  return usageError("chaos campaign", problem);
}

function campaignError(problem: string): TesseraError {
  return new TesseraError("E_CAMPAIGN", { problem });
}
