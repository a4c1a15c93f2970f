import { ettrOf, exactIntervalS } from "./exact.ts";
import { type FailureRate, jobMtbfS, plannedPerNodeDay } from "./failure-rate.ts";
import { type CheckpointJob, outageS } from "./job.ts";

/** What to plan checkpoints for. Times in seconds. */
export interface CheckpointPlanRequest {
  readonly nodes: number;
  readonly rate: FailureRate;
  /** Until a save is safely written. */
  readonly writeS: number;
  /** How long an asynchronous save stops the job. @default writeS */
  readonly blockingS?: number;
  readonly restartS: number;
  /** Until a failure is noticed; the job gains nothing meanwhile. @default 0 */
  readonly detectS?: number;
  /** How long silent corruption may stay unseen: says how many checkpoints to keep. @default detectS */
  readonly unseenS?: number;
  /** One training step, to give the interval in steps. */
  readonly stepS?: number;
  /** Standard deviation of write and restart times, as a share. @default 0.2 */
  readonly timeUncertainty?: number;
}

/** How uncertain write and restart times are when nobody says. */
export const defaultTimeUncertainty = 0.2;

/** The job that a request is about, with its most likely numbers. */
export function jobOf(request: CheckpointPlanRequest): CheckpointJob {
  const { nodes, rate, writeS, restartS, blockingS = writeS, detectS = 0 } = request;
  const mtbfS = jobMtbfS(plannedPerNodeDay(rate), nodes);
  return { mtbfS, blockingS, writeS, restartS, detectS };
}

const secondsMax = 1e9;
const nodesMax = 1e7;

/** Why nothing can be planned for this, in one sentence; undefined where it can. */
export function planProblem(request: CheckpointPlanRequest): string | undefined {
  return numberProblem(request) ?? rateProblem(request.rate) ?? jobProblem(jobOf(request));
}

function numberProblem(request: CheckpointPlanRequest): string | undefined {
  const { nodes, writeS, restartS, blockingS, detectS, unseenS, stepS, timeUncertainty } = request;
  if (!Number.isSafeInteger(nodes) || nodes < 1 || nodes > nodesMax) {
    return `The number of nodes is a whole number from 1 to ${nodesMax}, not ${nodes}`;
  }
  const positive = { write: writeS, "blocking part of a save": blockingS, step: stepS };
  for (const [name, value] of Object.entries(positive)) {
    if (value === undefined || (value > 0 && value <= secondsMax)) continue;
    return `The time of a ${name} is above 0 and at most ${secondsMax} s, not ${value} s`;
  }
  const times = { restart: restartS, detection: detectS, "unseen corruption": unseenS };
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined || (value >= 0 && value <= secondsMax)) continue;
    return `The time of ${name} is from 0 to ${secondsMax} s, not ${value} s`;
  }
  if (blockingS !== undefined && blockingS > writeS) {
    return `An asynchronous save cannot stop the job for ${blockingS} s when it is written after ${writeS} s`;
  }
  return uncertaintyProblem("write and restart times", timeUncertainty);
}

function rateProblem(rate: FailureRate): string | undefined {
  if ("perNodeDay" in rate) {
    const { perNodeDay, uncertainty } = rate;
    if (!(perNodeDay > 0 && perNodeDay <= 1e6)) {
      return `Failures per node-day are above 0 and at most 1000000, not ${perNodeDay}`;
    }
    return uncertaintyProblem("the failure rate", uncertainty);
  }
  const { failures, nodeDays } = rate;
  if (!Number.isSafeInteger(failures) || failures < 0) {
    return `Failures that were seen are a whole number from 0, not ${failures}`;
  }
  if (nodeDays > 0 && Number.isFinite(nodeDays)) return undefined;
  return `Node-days that were watched are above 0, not ${nodeDays}`;
}

function uncertaintyProblem(name: string, value: number | undefined): string | undefined {
  if (value === undefined || (value >= 0 && value <= 3)) return undefined;
  return `The uncertainty of ${name} is from 0 to 300 %, not ${100 * value} %`;
}

/** What no interval can help: the next failure comes before the job is back, or before one save is written. */
function jobProblem(job: CheckpointJob): string | undefined {
  const { mtbfS, writeS } = job;
  const shown = (seconds: number) => `${Number(seconds.toPrecision(4))} s`;
  const fails = `The job fails every ${shown(mtbfS)} on average`;
  const best = ettrOf(job, exactIntervalS(job));
  const hardly = `hardly any work gets done, ${Number((100 * best).toPrecision(2))} % of the time at best`;
  if (outageS(job) >= mtbfS) {
    return `${fails} and needs ${shown(outageS(job))} to come back, so ${hardly}: shorten detection and restart, or use fewer nodes`;
  }
  if (writeS < mtbfS) return undefined;
  return `${fails} and a save takes ${shown(writeS)}, so ${hardly}: make saves faster, or use fewer nodes`;
}
