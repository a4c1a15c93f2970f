import { linearTicks, logTicks, magnitudeMax, magnitudeMin, type TickOptions } from "./ticks.ts";
import { formatBeside, formatQuantity, formatterFor, type Unit } from "./units.ts";

export type ScaleKind = "linear" | "log";

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Where values of an axis lie, as a share of its length from 0 to 1. */
export interface Scale {
  readonly kind: ScaleKind;
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
  /** Writes a value as the ticks are written, with three significant digits. */
  readonly format: (value: number) => string;
  /** The share for a value inside `[min, max]`; values outside land on the nearer end. */
  position(value: number): number;
}

export interface ScaleOptions {
  readonly kind: ScaleKind;
  readonly unit: Unit;
  readonly ticksWanted: number;
  /** Marks and ends; fewer than two that can be drawn are none. @default round values */
  readonly ticks?: readonly number[] | undefined;
}

/** True for a value that this kind of axis can show. Everything else is a gap. */
export function isDrawable(value: unknown, kind: ScaleKind): value is number {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (kind === "log" && value < magnitudeMin) return false;
  return Math.abs(value) <= magnitudeMax;
}

/**
 * A scale that shows all drawable values, widened to round ends. Values it cannot show are
 * ignored; without any, it spans 0 to 1 (1 to 10 when logarithmic).
 */
export function scaleFor(values: Iterable<number | null>, options: ScaleOptions): Scale {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!isDrawable(value, options.kind)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) [min, max] = options.kind === "log" ? [1, 10] : [0, 1];
  return options.kind === "log" ? logScale(min, max, options) : linearScale(min, max, options);
}

function linearScale(from: number, to: number, options: ScaleOptions): Scale {
  const [min, max] = widened(from, to);
  const values = givenTicks(options) ?? linearTicks(wantedOf(options, min, max));
  const [first = min, second = max] = values;
  const largest = Math.max(...values.map(Math.abs));
  const shape = { largest, distance: second - first };
  return scaleOver(values, {
    kind: "linear",
    tickLabel: formatterFor(options.unit, shape),
    format: formatBeside(options.unit, shape),
    position: (value) => value,
  });
}

function logScale(from: number, to: number, options: ScaleOptions): Scale {
  const [min, max] = to > from * (1 + 1e-9) ? [from, to] : [from / 1.5, to * 1.5];
  const values = givenTicks(options) ?? logTicks(wantedOf(options, min, max));
  const format = (value: number) => formatQuantity(value, options.unit);
  return scaleOver(values, { kind: "log", tickLabel: format, format, position: logOf });
}

function wantedOf({ unit, ticksWanted }: ScaleOptions, min: number, max: number): TickOptions {
  return { min, max, unit, wanted: ticksWanted };
}

function givenTicks({ ticks = [], kind }: ScaleOptions): readonly number[] | undefined {
  const drawable = ticks.filter((tick) => isDrawable(tick, kind));
  const rising = [...new Set(drawable)].toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [rising[0], rising.at(-1)];
  const apart = last - first > 1e-9 * Math.max(Math.abs(first), Math.abs(last), magnitudeMin);
  return apart ? rising : undefined;
}

function logOf(value: number): number {
  return Math.log(Math.max(value, magnitudeMin));
}

/** A single value, or values too close to tell apart, need room around them. */
function widened(min: number, max: number): [number, number] {
  const magnitude = Math.max(Math.abs(min), Math.abs(max));
  if (magnitude < magnitudeMin) return [0, 1];
  if (max - min > magnitude * 1e-9) return [min, max];
  return [min - magnitude * 0.1, max + magnitude * 0.1];
}

function scaleOver(
  values: readonly number[],
  how: {
    readonly kind: ScaleKind;
    readonly tickLabel: (value: number) => string;
    readonly format: (value: number) => string;
    readonly position: (value: number) => number;
  },
): Scale {
  const min = values[0] ?? 0;
  const max = values.at(-1) ?? 1;
  const start = how.position(min);
  const length = how.position(max) - start;
  return {
    kind: how.kind,
    min,
    max,
    ticks: values.map((value) => ({ value, label: how.tickLabel(value) })),
    format: how.format,
    position: (value) => Math.min(1, Math.max(0, (how.position(value) - start) / length)),
  };
}
