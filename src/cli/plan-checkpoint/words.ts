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

const ettrDigits = 3;
const ettrDigitsMax = 9;

/** Three digits, and more where they would all be nines: no job is productive all the time. */
export function ettrText(ettr: number): string {
  for (let digits = ettrDigits; digits < ettrDigitsMax; digits++) {
    const text = ettr.toFixed(digits);
    if (Number(text) < 1 || ettr >= 1) return text;
  }
  return `above ${(1 - 10 ** -ettrDigits).toFixed(ettrDigits)}`;
}

/** What the job's productive time is worth: "the work of 13,970 GPUs that never fail". */
export function goodputText({ plan, gpusPerNode }: PlanCheckpointRequest, found: CheckpointPlan) {
  const gpus = plan.nodes * gpusPerNode;
  const worth = (ettr: number) => formatQuantity(Number((gpus * ettr).toPrecision(4)), "");
  const { ettr, ettrBand } = found.recommended;
  return `the work of ${worth(ettr)} GPUs that never fail; ${worth(ettrBand.low)} to ${worth(ettrBand.high)} in nine of ten draws`;
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

/** Below this a job spends its time on failing. */
const littleEttr = 0.5;

/** What keeps the job from its best interval, or from getting anything done. */
export function warningsOf({ job, recommended }: CheckpointPlan): readonly string[] {
  const { boundByWrites, boundByStep, computeS, ettr } = recommended;
  return [
    ...(boundByWrites
      ? [`bound by writes: the next save waits until the last is written (${duration(job.writeS)})`]
      : []),
    ...(boundByStep
      ? [`bound by the step: one takes ${duration(computeS)}, and nothing is saved before it ends`]
      : []),
    ...(ettr < littleEttr ? ["less than half of the time is productive"] : []),
  ];
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
