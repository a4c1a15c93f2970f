import assert from "node:assert/strict";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/clock.ts";
import { spreadsOf, type TelemetrySummary, ThrottleTimes } from "./reading-summary.ts";
import type { GpuReading, GpuTelemetry } from "./telemetry.ts";

export interface TelemetrySamplerOptions {
  readonly telemetry: Pick<GpuTelemetry, "read">;
  readonly gpu: { readonly uuid: string };
  readonly clock: Clock;
  /** Time between two readings. @default 500 */
  readonly everyMs?: number;
  /** The most readings that are kept; beyond that every second one goes. At least 2. @default 4096 */
  readonly keptMax?: number;
}

/** Reads a GPU at intervals beside the work on it. */
export interface TelemetrySampler extends Disposable {
  /** The last reading; undefined before the first. */
  readonly latest: GpuReading | undefined;
  /** Readings that are kept, oldest first. */
  readonly readings: readonly GpuReading[];
  /**
   * Reads now as well. For work that holds the thread, whose timers come late. Undefined when the
   * GPU could not be read; `stop` tells why.
   */
  sample(): GpuReading | undefined;
  /** Reads once more, ends, and sums up. Later calls answer the same. */
  stop(): TelemetrySummary;
}

/**
 * Starts reading at once. A GPU that cannot be read ends the readings, not the work: the summary
 * says why.
 */
export function createTelemetrySampler(options: TelemetrySamplerOptions): TelemetrySampler {
  return new Sampler(options);
}

class Sampler implements TelemetrySampler {
  readonly #options: TelemetrySamplerOptions;
  readonly #everyMs: number;
  readonly #keptMax: number;
  readonly #throttle = new ThrottleTimes();
  #kept: GpuReading[] = [];
  /** Every how many readings one is kept, and how many came since the last that was. */
  #keepEvery = 1;
  #sinceKept = 0;
  #count = 0;
  #problem: string | null = null;
  #timer: Timer | undefined;
  #summary: TelemetrySummary | undefined;
  #last: { readonly reading: GpuReading; readonly atMs: number } | undefined;
  #firstAtMs = 0;

  constructor(options: TelemetrySamplerOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? 500;
    this.#keptMax = options.keptMax ?? 4096;
    assert(this.#everyMs > 0 && this.#keptMax >= 2, "a sampler reads now and then and keeps some");
    this.#tick();
  }

  get latest(): GpuReading | undefined {
    return this.#last?.reading;
  }

  get readings(): readonly GpuReading[] {
    return this.#kept;
  }

  sample(): GpuReading | undefined {
    if (this.#summary !== undefined || this.#problem !== null) return undefined;
    const { telemetry, gpu, clock } = this.#options;
    try {
      const reading = telemetry.read(gpu);
      this.#take(reading, clock.monotonicMs());
      return reading;
    } catch (error) {
      this.#problem = messageOf(error);
      return undefined;
    }
  }

  stop(): TelemetrySummary {
    if (this.#summary !== undefined) return this.#summary;
    this.#timer?.cancel();
    this.sample();
    const durationMs = this.#last === undefined ? 0 : this.#last.atMs - this.#firstAtMs;
    this.#summary = {
      readings: this.#count,
      durationMs,
      spreads: spreadsOf(this.#kept),
      ...this.#throttle.summary(),
      problem: this.#problem,
    };
    return this.#summary;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  #tick(): void {
    this.sample();
    if (this.#problem !== null) return;
    this.#timer = this.#options.clock.setTimer(this.#everyMs, () => this.#tick());
  }

  #take(reading: GpuReading, atMs: number): void {
    if (this.#last === undefined) this.#firstAtMs = atMs;
    else this.#throttle.add(this.#last.reading, atMs - this.#last.atMs);
    this.#last = { reading, atMs };
    this.#count++;
    this.#sinceKept++;
    if (this.#count > 1 && this.#sinceKept < this.#keepEvery) return;
    this.#sinceKept = 0;
    this.#kept.push(reading);
    if (this.#kept.length < this.#keptMax) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#keepEvery *= 2;
  }
}
