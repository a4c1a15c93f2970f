import assert from "node:assert/strict";
import { type FailureModel, FailureSource } from "../../failure-model/index.ts";
import { createEngine } from "../engine/index.ts";
import type { FailureFeed } from "./failure-feed.ts";
import { assertFleetJob, type FleetJob } from "./fleet-job.ts";
import { type FleetResult, resultOf } from "./fleet-result.ts";
import { FleetWorld } from "./fleet-world.ts";
import { JobRun } from "./job-run.ts";
import { NodePool } from "./node-pool.ts";
import { SlowNodes } from "./slow-nodes.ts";
import { TimeBook } from "./time-book.ts";

export interface FleetRunOptions {
  readonly model: FailureModel;
  readonly job: FleetJob;
  readonly seed: string;
  readonly horizonUs: number;
  /** Points of the ETTR over time. @default 200 */
  readonly windows?: number;
  /** What happens, in place of what the model draws. */
  readonly feed?: FailureFeed;
}

const windowsDefault = 200;

/** A job on a fleet, over days or years. No step and no rank is simulated: both are counted. */
export function simulateFleetJob(options: FleetRunOptions): FleetResult {
  return createFleetRun(options).finish();
}

/** The same, to be looked at on the way. */
export interface FleetRun {
  /** Lets time go on; false when the job or its time is over. */
  runTo(timeUs: number): boolean;
  finish(): FleetResult;
}

export function createFleetRun(options: FleetRunOptions): FleetRun {
  const { model, job, seed, horizonUs, windows = windowsDefault } = options;
  assertFleetJob(job);
  assert(Number.isSafeInteger(horizonUs) && horizonUs > 0, "a run has a horizon");
  const engine = createEngine({ seed });
  const feed = options.feed ?? new FailureSource(model, engine.chance, job.devicesPerNode);
  const pool = new NodePool(job);
  const book = new TimeBook(horizonUs, windows);
  const slow = new SlowNodes();
  const slowest = (isPart: (replica: number) => boolean): number =>
    slow.worst((node) => {
      const replica = pool.replicaOf(node);
      return replica !== null && isPart(replica);
    });
  const run = new JobRun({ engine, job, pool, book, causes: model.causes.length, slowest });
  const world = new FleetWorld({ engine, model, feed, pool, slow, job: run });
  world.begin();
  const runTo = (timeUs: number): boolean => {
    engine.run(Math.min(timeUs, horizonUs));
    return !run.isOver && timeUs < horizonUs;
  };
  const finish = (): FleetResult => {
    if (!run.isOver) runTo(horizonUs);
    const wallUs = run.isOver ? engine.nowUs : horizonUs;
    run.interrupt(wallUs);
    book.close();
    return resultOf({ engine, model, job, run, book, wallUs });
  };
  return { runTo, finish };
}
