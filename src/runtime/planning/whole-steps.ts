import { ettrOf } from "./exact.ts";
import { type CheckpointJob, shortestComputeS } from "./job.ts";

/** The number of whole steps nearest to an interval in worth: the better one of its two neighbours. */
export function wholeSteps(
  job: CheckpointJob,
  computeS: number,
  stepS: number | undefined,
): number | undefined {
  if (stepS === undefined) return undefined;
  const fewest = Math.max(1, Math.ceil(shortestComputeS(job) / stepS));
  const below = Math.max(fewest, Math.floor(computeS / stepS));
  return ettrOf(job, below * stepS) >= ettrOf(job, (below + 1) * stepS) ? below : below + 1;
}
