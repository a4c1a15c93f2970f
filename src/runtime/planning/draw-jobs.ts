import type { RngStream } from "../../platform/rng/index.ts";
import { logNormal } from "./draws.ts";
import { drawPerNodeDay, jobMtbfS } from "./failure-rate.ts";
import type { CheckpointJob } from "./job.ts";
import { type CheckpointPlanRequest, defaultTimeUncertainty, jobOf } from "./request.ts";

/** Jobs that may as well be the one asked about, given how little is known of its rates and times. */
export function drawJobs(
  request: CheckpointPlanRequest,
  { count, stream }: { readonly count: number; readonly stream: RngStream },
): readonly CheckpointJob[] {
  const job = jobOf(request);
  const uncertainty = request.timeUncertainty ?? defaultTimeUncertainty;
  const factor = () => logNormal(stream, { median: 1, uncertainty });
  return Array.from({ length: count }, () => {
    const mtbfS = jobMtbfS(drawPerNodeDay(request.rate, stream), request.nodes);
    // What a save stops the job for and what it takes in all depend on the same storage.
    const slower = factor();
    return {
      mtbfS,
      blockingS: job.blockingS * slower,
      writeS: job.writeS * slower,
      restartS: job.restartS * factor(),
      detectS: job.detectS,
    };
  });
}
