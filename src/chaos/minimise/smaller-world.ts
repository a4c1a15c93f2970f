import type { ChaosPlan, InferenceWorkload, TrainingWorkload } from "../plan/index.ts";
import type { Attempts, Candidate } from "./attempts.ts";
import { remapFaults, type Shape, sizeOf } from "./remap-ranks.ts";

/** Sizes of one axis, or lengths of a run, that are tried. */
const triesMax = 3;

/** Fewer ranks, nodes and steps, and less that is switched on, as long as the plan fails the same way. */
export async function makeWorldSmaller(attempts: Attempts): Promise<void> {
  const { kind } = attempts.current.workload;
  if (kind === "training") {
    for (const axis of ["dp", "tp", "pp"] as const) await fewerRanks(attempts, axis);
    await fewerNodes(attempts);
    await fewerSteps(attempts);
    await simpler(attempts);
  } else if (kind === "inference") {
    await fewerRequests(attempts);
  }
}

async function fewerRanks(attempts: Attempts, axis: keyof Shape): Promise<void> {
  const { current } = attempts;
  const workload = trainingOf(current);
  const size = workload.shape[axis];
  const { batch, microBatches = 1 } = workload.job;
  const fits = (count: number): boolean =>
    axis === "dp" ? batch % (count * microBatches) === 0 : size % count === 0;
  const sizes = Array.from({ length: size - 1 }, (_, at) => at + 1).filter(fits);
  const candidates = sizes
    .map((count) => withShape(current, { ...workload.shape, [axis]: count }, `${axis} ${count}`))
    .filter((candidate) => candidate !== null);
  await attempts.first(candidates.slice(0, triesMax));
}

function withShape(plan: ChaosPlan, shape: Shape, change: string): Candidate | null {
  const workload = trainingOf(plan);
  const faults = remapFaults(plan, workload.shape, shape);
  if (faults === null) return null;
  const { fleet } = plan;
  const nodes = Math.ceil(sizeOf(shape) / fleet.devicesPerNode);
  return {
    plan: { ...plan, faults, workload: { ...workload, shape }, fleet: { ...fleet, nodes } },
    change,
  };
}

async function fewerNodes(attempts: Attempts): Promise<void> {
  const { current } = attempts;
  const { fleet } = current;
  if (fleet.spareNodes === 0) return;
  const counts = [0, 1].filter((count) => count < fleet.spareNodes);
  const candidates = counts.map((spareNodes) => ({
    plan: { ...current, fleet: { ...fleet, spareNodes } },
    change: `${spareNodes} spare nodes`,
  }));
  await attempts.first(candidates);
}

async function fewerSteps(attempts: Attempts): Promise<void> {
  const { current } = attempts;
  const workload = trainingOf(current);
  const last = lastStep(current);
  const { everySteps } = workload.checkpoint;
  // One step after the last fault, then up to the next checkpoint, then half of the way.
  const counts = [last + 1, last + everySteps + 1, (last + workload.steps) >> 1]
    .filter((steps) => steps >= 1 && steps < workload.steps)
    .toSorted((a, b) => a - b);
  const candidates = [...new Set(counts)].map((steps) => ({
    plan: { ...current, workload: { ...workload, steps } },
    change: `${steps} steps`,
  }));
  await attempts.first(candidates);
}

/** The last step that a trigger names; a trigger that names none may need half of them. */
function lastStep(plan: ChaosPlan): number {
  const { steps, checkpoint } = trainingOf(plan);
  const named = plan.faults.map(({ trigger }) => {
    if (trigger.kind === "step") return trigger.step;
    if (trigger.kind === "checkpoint") return trigger.nth * checkpoint.everySteps;
    return steps >> 1;
  });
  return Math.max(1, ...named);
}

async function simpler(attempts: Attempts): Promise<void> {
  const { checkpoint, policy } = trainingOf(attempts.current);
  if (checkpoint.asynchronous) {
    await attempts.first([
      withWorkload(
        attempts.current,
        { checkpoint: { ...checkpoint, asynchronous: false } },
        "synchronous checkpoints",
      ),
    ]);
  }
  if (policy.compareEverySteps > 0) {
    await attempts.first([
      withWorkload(
        attempts.current,
        { policy: { ...policy, compareEverySteps: 0 } },
        "no comparison",
      ),
    ]);
  }
}

async function fewerRequests(attempts: Attempts): Promise<void> {
  const { workload } = attempts.current;
  if (workload.kind !== "inference") return;
  const { requests } = workload;
  const counts = [requests >> 3, requests >> 2, requests >> 1].filter((count) => count >= 1);
  const candidates = counts.map((count) => ({
    plan: {
      ...attempts.current,
      workload: { ...workload, requests: count } satisfies InferenceWorkload,
    },
    change: `${count} requests`,
  }));
  await attempts.first(candidates);
}

function withWorkload(
  plan: ChaosPlan,
  changed: Partial<TrainingWorkload>,
  change: string,
): Candidate {
  return { plan: { ...plan, workload: { ...trainingOf(plan), ...changed } }, change };
}

function trainingOf({ workload }: ChaosPlan): TrainingWorkload {
  if (workload.kind !== "training") throw new TypeError("the plan trains");
  return workload;
}
