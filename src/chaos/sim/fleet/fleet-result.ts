import assert from "node:assert/strict";
import type { Provenance } from "../../../platform/words.ts";
import type { FailureModel } from "../../failure-model/index.ts";
import type { SimEngine } from "../engine/index.ts";
import type { FleetJob } from "./fleet-job.ts";
import type { JobRun } from "./job-run.ts";
import { type FleetTimeUse, fleetTimeUses, type TimeBook } from "./time-book.ts";

/** What became of a job. All of it is simulated; nothing was measured. */
export interface FleetResult {
  readonly provenance: Provenance;
  readonly end: "horizon" | "finished";
  readonly wallUs: number;
  /** Steps that are in the result. */
  readonly steps: number;
  /** Time spent on steps that stayed, of all time; there is no queue in it. Slow steps count in full. */
  readonly ettr: number;
  /** Steps that stayed, over those that as many nodes without any fault or save would have done. */
  readonly goodput: number;
  /** Shares of all time; together 1. */
  readonly shares: Readonly<Record<FleetTimeUse, number>>;
  readonly failures: number;
  /** Wall time over failures; null when there was none. */
  readonly mtbfUs: number | null;
  readonly causes: readonly { readonly name: string; readonly failures: number }[];
  readonly restarts: number;
  readonly stalls: number;
  readonly plannedStops: number;
  readonly lostSteps: number;
  readonly contaminated: number;
  /** From a failure to the first step after it. */
  readonly recovery: {
    readonly count: number;
    /** Failures that the job had not come back from at the end. */
    readonly open: number;
    readonly meanUs: number | null;
    readonly medianUs: number | null;
    readonly p95Us: number | null;
    readonly maxUs: number | null;
    /** How many lasted up to each edge, and longer than the last. */
    readonly edgesUs: readonly number[];
    readonly counts: readonly number[];
  };
  readonly ettrOverTime: {
    readonly windowUs: number;
    readonly ettr: readonly (number | null)[];
  };
  readonly events: number;
  readonly traceHash: string;
}

const second = 1e6;
const edgesUs = [60, 120, 300, 600, 900, 1800, 3600, 10_800, 43_200].map((s) => s * second);

export interface RunParts {
  readonly engine: SimEngine;
  readonly model: FailureModel;
  readonly job: FleetJob;
  readonly run: JobRun;
  readonly book: TimeBook;
  readonly wallUs: number;
}

export function resultOf({ engine, model, job, run, book, wallUs }: RunParts): FleetResult {
  const { tally } = run;
  const totals = fleetTimeUses.map((use): [FleetTimeUse, number] => [use, book.totalUs(use)]);
  const bookedUs = totals.reduce((sum, [, timeUs]) => sum + timeUs, 0);
  // A second of a year: sums of many parts are not exact.
  assert(Math.abs(bookedUs - wallUs) <= 1 + wallUs * 1e-7, "all time went somewhere");
  const share = Object.fromEntries(totals.map(([use, timeUs]) => [use, timeUs / wallUs]));
  const shares = share as Record<FleetTimeUse, number>;
  const failures = tally.stops.reduce((sum, count) => sum + count, 0);
  const steps = job.steps === null ? run.step : Math.min(run.step, job.steps);
  const { recoveries } = tally;
  return {
    provenance: "simulated",
    end: run.isOver ? "finished" : "horizon",
    wallUs,
    steps,
    ettr: shares.productive + shares.slow,
    goodput: shares.productive,
    shares,
    failures,
    mtbfUs: failures === 0 ? null : wallUs / failures,
    causes: [...tally.stops]
      .map((count, index) => ({
        name: model.causes[index]?.name ?? "not named",
        failures: count,
      }))
      .filter((cause) => cause.failures > 0)
      .toSorted((one, other) => other.failures - one.failures),
    restarts: tally.restarts,
    stalls: tally.stalls,
    plannedStops: tally.plannedStops,
    lostSteps: tally.lostSteps,
    contaminated: tally.contaminated,
    recovery: {
      count: recoveries.count,
      open: tally.open,
      meanUs: recoveries.meanUs,
      medianUs: recoveries.quantileUs(0.5),
      p95Us: recoveries.quantileUs(0.95),
      maxUs: recoveries.maxUs,
      edgesUs,
      counts: recoveries.between(edgesUs),
    },
    ettrOverTime: { windowUs: book.windowUs, ettr: book.ettrByWindow() },
    events: engine.processed,
    traceHash: engine.traceHash(),
  };
}
