import type { TesseraError } from "../../platform/errors/index.ts";
import {
  type CheckpointPlanRequest,
  type FailureRate,
  planProblem,
  publishedPerNodeDay,
} from "../../runtime/planning/index.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** What `tessera plan-checkpoint` asks for, checked. */
export interface PlanCheckpointRequest {
  readonly plan: CheckpointPlanRequest;
  readonly gpusPerNode: number;
  /** Where the failure rate comes from, for people. */
  readonly rateSource: string;
  readonly checkpointGib: number | undefined;
}

type Options = Invocation["options"];

const publishedGpusPerNode = 8;
const hoursPerDay = 24;

/** Reads the options. @throws E_USAGE */
export function readPlanCheckpointRequest(options: Options): PlanCheckpointRequest {
  const gpusPerNode = wholeIn(options, "gpusPerNode") ?? publishedGpusPerNode;
  if (gpusPerNode < 1) throw usage("`--gpus-per-node 0` is none: a node of the job has a GPU");
  const { rate, rateSource } = readRate(options, gpusPerNode);
  const blockingS = numberIn(options, "asyncBlockingS");
  const plan: CheckpointPlanRequest = {
    nodes: needed(wholeIn(options, "nodes"), "nodes"),
    rate,
    writeS: readWriteS(options),
    restartS: needed(numberIn(options, "restartS"), "restartS"),
    ...given("blockingS", blockingS),
    ...given("detectS", numberIn(options, "detectS")),
    ...given("unseenS", numberIn(options, "unseenS")),
    ...given("stepS", numberIn(options, "stepS")),
    ...given("timeUncertainty", percentIn(options, "timeUncertainty")),
  };
  const problem = planProblem(plan);
  if (problem !== undefined) throw usage(problem);
  return { plan, gpusPerNode, rateSource, checkpointGib: numberIn(options, "checkpointGib") };
}

function readRate(
  options: Options,
  gpusPerNode: number,
): { readonly rate: FailureRate; readonly rateSource: string } {
  const perThousand = numberIn(options, "failuresPer1000NodeDays");
  const hours = numberIn(options, "mtbfHoursPerNode");
  const failures = wholeIn(options, "failures");
  const nodeDays = numberIn(options, "nodeDays");
  if ((failures === undefined) !== (nodeDays === undefined)) {
    throw usage("--failures and --node-days belong together: give both, or neither");
  }
  const ways = [perThousand, hours, failures].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw usage(
      "Give the failure rate once: --failures-per-1000-node-days, --mtbf-hours-per-node, or --failures with --node-days",
    );
  }
  const uncertainty = given("uncertainty", percentIn(options, "rateUncertainty"));
  if (failures !== undefined && nodeDays !== undefined) {
    if (Object.keys(uncertainty).length > 0) {
      throw usage(
        "--rate-uncertainty is for a stated rate: failures that were seen say it themselves",
      );
    }
    const rateSource = `${failures} failures seen in ${nodeDays} node-days`;
    return { rate: { failures, nodeDays }, rateSource };
  }
  if (hours !== undefined) {
    if (hours === 0) throw usage("`--mtbf-hours-per-node 0` is no time between failures");
    const rate = { perNodeDay: hoursPerDay / hours, ...uncertainty };
    return { rate, rateSource: `stated, a node fails every ${hours} h` };
  }
  if (perThousand !== undefined) {
    return { rate: { perNodeDay: perThousand / 1000, ...uncertainty }, rateSource: "stated" };
  }
  const perNodeDay = (publishedPerNodeDay * gpusPerNode) / publishedGpusPerNode;
  return { rate: { perNodeDay, ...uncertainty }, rateSource: "published for Llama 3" };
}

const bitsPerGib = 8 * 2 ** 30;
const bitsPerGbit = 1e9;

function readWriteS(options: Options): number {
  const writeS = numberIn(options, "writeS");
  const gib = numberIn(options, "checkpointGib");
  const gbps = numberIn(options, "bandwidthGbps");
  if (writeS !== undefined) {
    if (gbps === undefined) return writeS;
    throw usage("--write-s and --bandwidth-gbps say the same: give one of them");
  }
  if (gib === undefined || gbps === undefined) {
    throw usage("Give --write-s, or --checkpoint-gib and --bandwidth-gbps");
  }
  if (gbps === 0 || gib === 0) {
    throw usage("A checkpoint has a size, and its storage a bandwidth: both are above 0");
  }
  return (gib * bitsPerGib) / (gbps * bitsPerGbit);
}

/** `restartS` as it is typed: `--restart-s`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`)}`;
}

function numberIn(options: Options, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : "";
  if (/^\d{1,12}(\.\d{1,12})?$/.test(text)) return Number(text);
  throw usage(`\`${flagOf(name)} ${text}\` is not a number such as 90 or 1.5`);
}

function wholeIn(options: Options, name: string): number | undefined {
  const value = numberIn(options, name);
  if (value === undefined || Number.isInteger(value)) return value;
  throw usage(`\`${flagOf(name)} ${value}\` is not a whole number`);
}

function percentIn(options: Options, name: string): number | undefined {
  const value = numberIn(options, name);
  return value === undefined ? undefined : value / 100;
}

function needed(value: number | undefined, name: string): number {
  if (value !== undefined) return value;
  throw usage(`Give ${flagOf(name)}`);
}

function given<K extends string>(
  key: K,
  value: number | undefined,
): { readonly [key in K]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: number });
}

function usage(problem: string): TesseraError {
  return usageError("plan-checkpoint", `${problem}.`);
}
