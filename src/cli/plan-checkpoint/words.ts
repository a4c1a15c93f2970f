import { formatQuantity } from "../../platform/plots/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type {
  CheckpointPlan,
  IntervalForm,
  ShapeResult,
  TimeSplit,
} from "../../runtime/planning/index.ts";
import type { PlanCheckpointRequest } from "./request.ts";

/** Seconds for people. */
export function duration(seconds: number): string {
  return formatDurationMs(seconds * 1000);
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value === 0 || value >= 0.1 ? value.toFixed(1) : value.toPrecision(1)} %`;
}

export function ettrText(ettr: number): string {
  return ettr.toFixed(3);
}

export const formNames: Readonly<Record<IntervalForm["form"], string>> = {
  young: "Young",
  daly: "Daly",
  exact: "exact",
  availability: "availability (NVIDIA)",
};

export const splitNames = {
  saving: "saves",
  lostWork: "lost work",
  detection: "detection",
  restart: "restarts",
} as const;

/** "2,048 nodes, 16,384 GPUs". */
export function sizeText({ plan: { nodes }, gpusPerNode }: PlanCheckpointRequest): string {
  const gpus = formatQuantity(nodes * gpusPerNode, "");
  return `${formatQuantity(nodes, "")} ${nodes === 1 ? "node" : "nodes"}, ${gpus} GPUs`;
}

/** "every 3h 6m on average: 3.79 failures per 1,000 node-days, published for Llama 3". */
export function failureText(
  { plan: { nodes }, rateSource }: PlanCheckpointRequest,
  { job }: CheckpointPlan,
): string {
  const perThousand = (1000 * 86_400) / (job.mtbfS * nodes);
  const rate = formatQuantity(Number(perThousand.toPrecision(3)), "");
  return `every ${duration(job.mtbfS)} on average: ${rate} failures per 1,000 node-days, ${rateSource}`;
}

/** "18m 36s of computing, 223 steps". */
export function intervalText({ recommended }: CheckpointPlan): string {
  const { computeS, steps } = recommended;
  const inSteps =
    steps === undefined ? "" : `, ${formatQuantity(steps, "")} ${steps === 1 ? "step" : "steps"}`;
  return `${duration(computeS)} of computing${inSteps}`;
}

/** Why so many are kept. */
export function keepText({ recommended }: CheckpointPlan): string {
  const { keep, unseenS } = recommended;
  if (unseenS === 0) return `${keep} checkpoints: the newest may be damaged`;
  const all = `${formatQuantity(keep, "")} checkpoints: two are then older than errors stay unseen (${duration(unseenS)})`;
  if (keep <= thinned) return all;
  return `${all}; ${thinned} do when older ones are thinned out to one every ${duration(unseenS / thinnedParts)}`;
}

const thinnedParts = 4;
/** The two newest, one for each part of the time that errors stay unseen, and two older ones. */
const thinned = 2 + thinnedParts + 2;

/** Where the time goes that is not productive; what costs nothing is left out. */
export function lostText(split: TimeSplit): string {
  const causes = Object.entries(splitNames) as [keyof typeof splitNames, string][];
  return causes
    .filter(([cause]) => split[cause] > 0)
    .map(([cause, name]) => `${name} ${percent(split[cause])}`)
    .join(", ");
}

/** "0.853 ± 0.0007". */
export function shapeEttrText({ ettr, standardError }: ShapeResult): string {
  return `${ettrText(ettr)} ± ${standardError.toPrecision(1)}`;
}
