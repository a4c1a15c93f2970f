import { TesseraError } from "../../platform/errors/index.ts";
import type { Rng } from "../../platform/rng/index.ts";
import { availabilityIntervalS, checkpointsToKeep } from "./availability.ts";
import { type Band, bandOf } from "./band.ts";
import { drawJobs } from "./draw-jobs.ts";
import {
  ettrOf,
  exactIntervalS,
  flatRange,
  type IntervalRange,
  type TimeSplit,
  timeSplit,
} from "./exact.ts";
import { type ExpectedEttr, expectedEttr } from "./expected-ettr.ts";
import { dalyIntervalS, youngIntervalS } from "./first-order.ts";
import { type CheckpointJob, shortestComputeS } from "./job.ts";
import { type CheckpointPlanRequest, jobOf, planProblem } from "./request.ts";
import { simulateSplit } from "./simulate.ts";
import { wholeSteps } from "./whole-steps.ts";

/** When to save, what that is worth and how sure that is. Modelled, but for `shapes`. */
export interface CheckpointPlan {
  readonly job: CheckpointJob;
  readonly recommended: RecommendedInterval;
  readonly forms: readonly IntervalForm[];
  /** Around the best interval, in rising order of intervals. */
  readonly curve: readonly CurvePoint[];
  /** Simulated: the recommended interval where failures are not independent of each other. */
  readonly shapes: readonly ShapeResult[];
  /** How many draws are behind each band. */
  readonly draws: number;
}

export interface RecommendedInterval {
  /** Computing between saves. */
  readonly computeS: number;
  /** From one save to the next, the part that stops the job included. */
  readonly periodS: number;
  /** Whole steps, where the length of a step is known. */
  readonly steps: number | undefined;
  readonly ettr: number;
  readonly ettrBand: Band;
  /** Where the best interval itself may lie. */
  readonly intervalBand: Band;
  /** Intervals within 1 % of the best ETTR. */
  readonly flat: IntervalRange;
  readonly split: TimeSplit;
  /** How many checkpoints to keep; two of them are older than errors stay unseen. */
  readonly keep: number;
  readonly unseenS: number;
  /** True where saves are written so slowly that they, not failures, set the interval. */
  readonly boundByWrites: boolean;
  /** True where one step already takes longer than every interval within 1 % of the best. */
  readonly boundByStep: boolean;
}

export const intervalForms = ["young", "daly", "exact", "availability"] as const;

export interface IntervalForm {
  readonly form: (typeof intervalForms)[number];
  readonly computeS: number;
  readonly steps: number | undefined;
  /** By the exact form, whichever form gave the interval. */
  readonly ettr: number;
  /** By Meta's form. */
  readonly expected: ExpectedEttr;
}

export interface CurvePoint {
  readonly computeS: number;
  readonly ettr: number;
  readonly band: Band;
}

export interface ShapeResult {
  /** Below 1 failures cluster, above 1 they keep a distance; 1 is what the forms assume. */
  readonly shape: number;
  readonly ettr: number;
  readonly standardError: number;
}

const flatWithin = 0.01;
const drawCount = 2000;
const shapes = [0.5, 0.8, 1, 1.5];
const failuresPerShape = 20_000;
const curvePoints = 49;
const curveFactor = 16;

/** Plans when to save. The same request and seed give the same plan. @throws E_USAGE where nothing can be planned */
export function planCheckpoints(request: CheckpointPlanRequest, rng: Rng): CheckpointPlan {
  const problem = planProblem(request);
  if (problem !== undefined) {
    throw new TesseraError("E_USAGE", { problem: `${problem}.`, command: "plan-checkpoint" });
  }
  const job = jobOf(request);
  const jobs = drawJobs(request, {
    count: drawCount,
    stream: rng.stream("checkpoint-plan", "draws"),
  });
  const recommended = recommend(request, { job, jobs });
  const { computeS } = recommended;
  return {
    job,
    recommended,
    forms: formsOf(request, job),
    curve: curveAround(job, jobs),
    shapes: shapes.map((shape) => {
      const stream = rng.stream("checkpoint-plan", "shape", String(shape));
      const run = { computeS, shape, failures: failuresPerShape };
      const { productive, standardError } = simulateSplit(job, run, stream);
      return { shape, ettr: productive, standardError };
    }),
    draws: drawCount,
  };
}

interface Jobs {
  readonly job: CheckpointJob;
  readonly jobs: readonly CheckpointJob[];
}

function recommend(request: CheckpointPlanRequest, { job, jobs }: Jobs): RecommendedInterval {
  const bestS = exactIntervalS(job);
  const steps = wholeSteps(job, bestS, request.stepS);
  const computeS = steps === undefined ? bestS : steps * (request.stepS ?? 0);
  const periodS = computeS + job.blockingS;
  const unseenS = request.unseenS ?? job.detectS;
  const flat = flatRange(job, flatWithin);
  return {
    computeS,
    periodS,
    steps,
    ettr: ettrOf(job, computeS),
    ettrBand: bandOf(jobs.map((drawn) => ettrAt(drawn, computeS))),
    intervalBand: bandOf(jobs.map(exactIntervalS)),
    flat,
    split: timeSplit(job, computeS),
    keep: checkpointsToKeep(periodS, unseenS),
    unseenS,
    boundByWrites: bestS > 0 && bestS === shortestComputeS(job),
    boundByStep: steps === 1 && computeS > flat.toS,
  };
}

function formsOf(request: CheckpointPlanRequest, job: CheckpointJob): readonly IntervalForm[] {
  const intervals = {
    young: youngIntervalS(job),
    daly: dalyIntervalS(job),
    exact: exactIntervalS(job),
    availability: availabilityIntervalS(job),
  };
  return intervalForms.map((form) => {
    const computeS = Math.max(intervals[form], shortestComputeS(job));
    const steps = wholeSteps(job, computeS, request.stepS);
    return {
      form,
      computeS,
      steps,
      ettr: ettrOf(job, computeS),
      expected: expectedEttr(job, computeS),
    };
  });
}

function curveAround(job: CheckpointJob, jobs: readonly CheckpointJob[]): readonly CurvePoint[] {
  const best = exactIntervalS(job);
  const from = Math.max(best / curveFactor, shortestComputeS(job));
  const to = best * curveFactor;
  return Array.from({ length: curvePoints }, (_, index) => {
    const computeS = from * (to / from) ** (index / (curvePoints - 1));
    const band = bandOf(jobs.map((drawn) => ettrAt(drawn, computeS)));
    return { computeS, ettr: ettrOf(job, computeS), band };
  });
}

/** Where writes turn out slower than planned, the next save waits for the last one. */
function ettrAt(job: CheckpointJob, computeS: number): number {
  return ettrOf(job, Math.max(computeS, shortestComputeS(job)));
}
