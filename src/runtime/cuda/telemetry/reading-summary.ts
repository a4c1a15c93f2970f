import type { GpuReading, ThrottleReason } from "./telemetry.ts";
import { slowsDown } from "./throttle-reasons.ts";

/** What of a reading is a number. */
export const readingNames = [
  "smClockMhz",
  "memoryClockMhz",
  "powerW",
  "temperatureC",
  "memoryTemperatureC",
  "utilizationPercent",
  "memoryUsedBytes",
] as const satisfies readonly (keyof GpuReading)[];

export type ReadingName = (typeof readingNames)[number];

/** Over some time. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** What a GPU did over some time. */
export interface TelemetrySummary {
  readonly readings: number;
  /** From the first reading to the last. */
  readonly durationMs: number;
  /** Null for what the GPU never told. */
  readonly spreads: Readonly<Record<ReadingName, Spread | null>>;
  /** How long each reason held. A reading stands for the time until the next. */
  readonly throttleMs: Readonly<Partial<Record<ThrottleReason, number>>>;
  /** How long the GPU was slowed for any reason but idleness and clocks that somebody set. */
  readonly slowedMs: number;
  /** Why readings ended early; null when they did not. */
  readonly problem: string | null;
}

/** The spread of values, or null of none. The median of an even number is between the two. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted.at(0), sorted.at(-1)];
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  if (min === undefined || max === undefined || low === undefined || high === undefined) {
    return null;
  }
  return { min, median: (low + high) / 2, max };
}

/** How long reasons held, added up as readings come. */
export class ThrottleTimes {
  readonly #times = new Map<ThrottleReason, number>();
  #slowedMs = 0;

  /** A reading and how long it stands. */
  add({ throttle }: GpuReading, forMs: number): void {
    for (const reason of throttle) {
      this.#times.set(reason, (this.#times.get(reason) ?? 0) + forMs);
    }
    if (throttle.some(slowsDown)) this.#slowedMs += forMs;
  }

  summary(): Pick<TelemetrySummary, "throttleMs" | "slowedMs"> {
    return { throttleMs: Object.fromEntries(this.#times), slowedMs: this.#slowedMs };
  }
}

/** Spreads over readings that were kept. */
export function spreadsOf(readings: readonly GpuReading[]): TelemetrySummary["spreads"] {
  const spreads = readingNames.map((name) => {
    const told = readings.map((reading) => reading[name]).filter((value) => value !== null);
    return [name, spreadOf(told)] as const;
  });
  return Object.fromEntries(spreads) as Record<ReadingName, Spread | null>;
}
