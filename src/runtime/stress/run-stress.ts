import assert from "node:assert/strict";
import type { Clock } from "../../platform/time/clock.ts";
import type { GpuReading } from "../cuda/telemetry/telemetry.ts";
import type { Mismatch, StressEngine, StressSlice } from "./engine.ts";
import type { HardwareNotes, HardwareWatch } from "./hardware-watch.ts";
import { RateHistogram } from "./measure/rate-histogram.ts";
import { type Stability, stabilityOf } from "./measure/stability.ts";
import { TimeLine, type TimePoint } from "./measure/time-line.ts";

const sliceMsDefault = 250;
const mismatchesKeptMax = 32;

/** How it goes, several times a second. */
export interface StressProgress {
  readonly elapsedMs: number;
  readonly iterations: number;
  /** Of the last slice, work a second. */
  readonly rate: number;
  /** Wrong results so far. */
  readonly wrong: number;
  readonly reading: GpuReading | null;
}

export interface StressRun {
  readonly engine: StressEngine;
  readonly clock: Clock;
  /** Ends the run early; what was measured until then is returned. */
  readonly signal: AbortSignal;
  readonly durationMs: number;
  /** Ends the run after so many iterations, or a few more. @default no limit */
  readonly iterationsMax?: number;
  /** What is read of the device beside the work. @default nothing */
  readonly hardware?: HardwareWatch;
  readonly onProgress?: (progress: StressProgress) => void;
  /** How long a slice of work is, for progress and for the plot. @default 250 */
  readonly sliceMs?: number;
}

/** What came of a stress run. */
export interface StressResult {
  readonly elapsedMs: number;
  readonly iterations: number;
  /** True when the signal ended it. */
  readonly interrupted: boolean;
  /** How the device itself ended the run; null when it did not. */
  readonly failure: string | null;
  /** Null when not one iteration was finished. */
  readonly stability: Stability | null;
  readonly points: readonly TimePoint[];
  /** Wrong results in all. */
  readonly wrong: number;
  /** The first of them. */
  readonly mismatches: readonly Mismatch[];
  readonly hardware: HardwareNotes | null;
}

/**
 * Keeps an engine busy for a time, sums up what its iterations took and counts wrong results. It does
 * not stop at a wrong result: how often they come is worth knowing.
 *
 * @throws what the engine throws, except the signal's own reason and failures of the device.
 */
export async function runStress(run: StressRun): Promise<StressResult> {
  const { engine, clock, signal } = run;
  const startedMs = clock.monotonicMs();
  const tally = new Tally(run, startedMs);
  run.hardware?.begin();
  let failure: string | undefined;
  try {
    await keepBusy(run, tally, startedMs);
    tally.take(await engine.finish());
  } catch (error) {
    failure = engine.failureOf(error);
    if (failure === undefined) throw error;
  }
  return {
    elapsedMs: clock.monotonicMs() - startedMs,
    iterations: tally.iterations,
    interrupted: signal.aborted,
    failure: failure ?? null,
    stability: tally.stability(),
    points: tally.line.points(),
    wrong: tally.wrong,
    mismatches: tally.mismatches,
    hardware: (await run.hardware?.end()) ?? null,
  };
}

async function keepBusy(run: StressRun, tally: Tally, startedMs: number): Promise<void> {
  const { engine, clock, signal, durationMs, iterationsMax = Number.POSITIVE_INFINITY } = run;
  assert(durationMs > 0 && iterationsMax > 0, "a run has a length");
  let elapsedMs = 0;
  try {
    while (elapsedMs < durationMs && tally.iterations < iterationsMax && !signal.aborted) {
      const aboutMs = Math.min(run.sliceMs ?? sliceMsDefault, durationMs - elapsedMs);
      tally.take(await engine.advance(aboutMs, signal));
      elapsedMs = clock.monotonicMs() - startedMs;
    }
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  }
}

class Tally {
  readonly line = new TimeLine();
  readonly mismatches: Mismatch[] = [];
  iterations = 0;
  wrong = 0;
  readonly #run: StressRun;
  readonly #startedMs: number;
  readonly #rates = new RateHistogram();
  #tookMs = 0;

  constructor(run: StressRun, startedMs: number) {
    this.#run = run;
    this.#startedMs = startedMs;
  }

  take({ iterationsMs, wrong, mismatches }: StressSlice): void {
    const { clock, engine, hardware, onProgress } = this.#run;
    this.wrong += wrong;
    this.mismatches.push(...mismatches.slice(0, mismatchesKeptMax - this.mismatches.length));
    const elapsedMs = clock.monotonicMs() - this.#startedMs;
    const atMs = (this.#tookMs + elapsedMs) / 2;
    this.#tookMs = elapsedMs;
    // An iteration shorter than the clock can tell has no rate.
    const timed = iterationsMs.filter((ms) => ms > 0);
    for (const ms of timed) this.#rates.add((1000 * engine.work.amount) / ms);
    this.iterations += iterationsMs.length;
    if (timed.length === 0) return;
    const busyMs = timed.reduce((sum, ms) => sum + ms, 0);
    const reading = hardware?.read() ?? null;
    this.line.add({ atMs, busyMs, iterations: timed.length, reading });
    onProgress?.({
      elapsedMs,
      iterations: this.iterations,
      rate: (1000 * engine.work.amount * timed.length) / busyMs,
      wrong: this.wrong,
      reading,
    });
  }

  stability(): Stability | null {
    const { amount } = this.#run.engine.work;
    return stabilityOf({ rates: this.#rates, points: this.line.points(), amount });
  }
}
