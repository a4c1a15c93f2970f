import assert from "node:assert/strict";
import type { GpuReading } from "../../cuda/telemetry/telemetry.ts";

/** A stretch of the run. */
export interface TimePoint {
  /** Its middle, since the start of the run. */
  readonly atMs: number;
  /** How long the device was busy in it. */
  readonly busyMs: number;
  readonly iterations: number;
  /** What was read beside it last; null where there is nothing to read. */
  readonly reading: GpuReading | null;
}

/**
 * The run over time in a bounded number of points: when there are too many, neighbours become one,
 * so that a minute is shown by the second and a day by the minute.
 */
export class TimeLine {
  readonly #pointsMax: number;
  #points: TimePoint[] = [];
  /** Points as they come that make one point of the line. */
  #each = 1;
  #pending: TimePoint[] = [];

  constructor(pointsMax = 2048) {
    assert(pointsMax >= 2, "a line has two points");
    this.#pointsMax = pointsMax;
  }

  add(point: TimePoint): void {
    this.#pending.push(point);
    if (this.#pending.length < this.#each) return;
    this.#points.push(merged(this.#pending));
    this.#pending = [];
    if (this.#points.length < this.#pointsMax) return;
    this.#points = pairs(this.#points);
    this.#each *= 2;
  }

  points(): readonly TimePoint[] {
    return this.#pending.length === 0 ? this.#points : [...this.#points, merged(this.#pending)];
  }
}

function pairs(points: readonly TimePoint[]): TimePoint[] {
  const halves: TimePoint[] = [];
  for (let at = 0; at < points.length; at += 2) halves.push(merged(points.slice(at, at + 2)));
  return halves;
}

function merged(points: readonly TimePoint[]): TimePoint {
  const [first] = points;
  const last = points.at(-1);
  assert(first !== undefined && last !== undefined, "there is something to merge");
  const sum = (of: (point: TimePoint) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  return {
    atMs: (first.atMs + last.atMs) / 2,
    busyMs: sum(({ busyMs }) => busyMs),
    iterations: sum(({ iterations }) => iterations),
    reading: points.findLast(({ reading }) => reading !== null)?.reading ?? null,
  };
}
