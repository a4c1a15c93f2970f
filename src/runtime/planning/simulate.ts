import assert from "node:assert/strict";
import type { RngStream } from "../../platform/rng/index.ts";
import { weibull } from "./draws.ts";
import type { TimeSplit } from "./exact.ts";
import { assertJob, backgroundS, type CheckpointJob, outageS } from "./job.ts";

export interface Simulation {
  /** Computing between saves. */
  readonly computeS: number;
  /** Of the Weibull distribution of the times between failures; 1 is the exponential one. */
  readonly shape: number;
  /** How many failures to go through; at least two for each of twenty batches. */
  readonly failures: number;
}

/** Shares seen in a simulated run. */
export interface SimulatedSplit extends TimeSplit {
  /** Of `productive`, from the spread between twenty batches. */
  readonly standardError: number;
}

const batches = 20;
const failuresMax = 10_000_000;

/** Goes through failures one by one, each with its outage, saves and lost work. Same stream, same result. */
export function simulateSplit(
  job: CheckpointJob,
  { computeS, shape, failures }: Simulation,
  stream: RngStream,
): SimulatedSplit {
  assertJob(job);
  assert(
    failures >= 2 * batches && failures <= failuresMax,
    "a simulation has 40 failures or more",
  );
  const draw = weibull(shape);
  const sums = Array.from({ length: batches }, () => ({ ...nothing }));
  for (const [batch, sum] of sums.entries()) {
    const from = Math.floor((batch * failures) / batches);
    const to = Math.floor(((batch + 1) * failures) / batches);
    for (let failure = from; failure < to; failure++) {
      addGap(sum, job, { computeS, gapS: job.mtbfS * draw(stream) });
    }
  }
  const all = { ...nothing };
  for (const sum of sums) {
    for (const cause of causes) all[cause] += sum[cause];
  }
  const shares = sums.map((sum) => sum.productive / totalOf(sum));
  const total = totalOf(all);
  for (const cause of causes) all[cause] /= total;
  return { ...all, standardError: standardErrorOf(shares) };
}

type Seconds = { -readonly [cause in keyof TimeSplit]: number };

const nothing: Seconds = { productive: 0, saving: 0, lostWork: 0, detection: 0, restart: 0 };
const causes = ["productive", "saving", "lostWork", "detection", "restart"] as const;

/** From one failure to the next. */
function addGap(
  sum: Seconds,
  job: CheckpointJob,
  { computeS, gapS }: { readonly computeS: number; readonly gapS: number },
): void {
  const { blockingS, detectS, restartS } = job;
  sum.detection += Math.min(gapS, detectS);
  sum.restart += Math.min(Math.max(gapS - detectS, 0), restartS);
  const upS = Math.max(gapS - outageS(job), 0);
  const periodS = computeS + blockingS;
  // A save counts only when it is written, a while after the job goes on.
  const saves = Math.max(0, Math.floor((upS - backgroundS(job)) / periodS));
  sum.productive += saves * computeS;
  sum.saving += saves * blockingS;
  sum.lostWork += upS - saves * periodS;
}

function totalOf(sum: Seconds): number {
  return causes.reduce((total, cause) => total + sum[cause], 0);
}

function standardErrorOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
