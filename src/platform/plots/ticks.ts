import assert from "node:assert/strict";
import { familyOf, type Unit, type UnitFamily } from "./units.ts";

/** Values beyond this cannot be drawn: their differences would leave the range of a double. */
export const magnitudeMax = 1e100;
/** On a log axis, smaller than this is as good as zero. */
export const magnitudeMin = 1e-100;

const ladderLengthMax = 400;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Range {
  readonly min: number;
  readonly max: number;
}

export interface TickOptions extends Range {
  readonly unit: Unit;
  /** About how many ticks; the result has between two and roughly twice as many. */
  readonly wanted: number;
}

/**
 * Round values that cover `[min, max]`: the first is not above `min`, the last not below `max`.
 * Steps are 1, 2 or 5 times a power of ten, of 1024 for bytes, or clock-like for times.
 */
export function linearTicks(options: TickOptions): number[] {
  const { min, max, wanted } = checked(options);
  const factor = baseFactor(options.unit);
  const step = niceStep(((max - min) * factor) / Math.max(1, wanted), familyOf(options.unit));
  const first = Math.floor((min * factor) / step);
  const last = Math.ceil((max * factor) / step);
  assert(last - first <= ladderLengthMax, `${last - first} ticks`);
  const ticks: number[] = [];
  for (let index = first; index <= last; index++) ticks.push(tidy((index * step) / factor));
  return covering(ticks, { min, max, grow: (value, sign) => tidy(value + (sign * step) / factor) });
}

/** Round values that cover `[min, max]`, both above zero: 1-2-5, powers of ten, of two for bytes. */
export function logTicks(options: TickOptions): number[] {
  const { min, max, wanted } = checked(options);
  assert(min > 0, "a log axis starts above zero");
  const factor = baseFactor(options.unit);
  const range = { min: min * factor, max: max * factor };
  const ladders = coveringLadders(familyOf(options.unit), range);
  const fitting = ladders.find((rungs) => rungs.length <= wanted + 2);
  const ticks = fitting ?? thin(ladders.at(-1) ?? [], wanted);
  return ticks.map((tick) => tidy(tick / factor));
}

function checked(options: TickOptions): TickOptions {
  const { min, max } = options;
  assert(Number.isFinite(min) && Number.isFinite(max) && min < max, `ticks from ${min} to ${max}`);
  assert(Math.max(Math.abs(min), Math.abs(max)) <= magnitudeMax * 10, "ticks out of range");
  return options;
}

function baseFactor(unit: Unit): number {
  return unit === "s" ? 1000 : 1;
}

/** The smallest round step that is not below `rough`. */
function niceStep(rough: number, family: UnitFamily): number {
  if (family === "bytes" && rough > 1) {
    const power = 1024 ** Math.floor(Math.log(rough) / Math.log(1024));
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1024, 2048].map((step) => step * power);
    return firstNotBelow(steps, rough);
  }
  if (family === "time" && rough > 500) {
    const clockLike = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800].map((s) => s * secondMs);
    const hours = [1, 2, 3, 6, 12].map((hour) => hour * hourMs);
    const steps = [...clockLike, ...hours];
    return rough <= 12 * hourMs ? firstNotBelow(steps, rough) : dayMs * decimalStep(rough / dayMs);
  }
  return decimalStep(rough);
}

function decimalStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return firstNotBelow([power, 2 * power, 5 * power, 10 * power, 20 * power], rough);
}

function firstNotBelow(steps: readonly number[], rough: number): number {
  // A hair of tolerance: 0.1 + 0.2 must not skip to the next step.
  const step = steps.find((candidate) => candidate >= rough * (1 - 1e-9)) ?? steps.at(-1);
  assert(step !== undefined && step > 0);
  return step;
}

/** Round values without end in both directions, found by index. */
interface Ladder {
  /** The value of a rung; grows with the index. */
  readonly rung: (index: number) => number;
  /** About the index of the rung at a value. */
  readonly indexNear: (value: number) => number;
}

const oneTwoFive: Ladder = {
  rung: (index) => ([1, 2, 5][((index % 3) + 3) % 3] ?? 1) * 10 ** Math.floor(index / 3),
  indexNear: (value) => 3 * Math.log10(value),
};

function powersOf(base: number): Ladder {
  return {
    rung: (index) => base ** index,
    indexNear: (value) => Math.log(value) / Math.log(base),
  };
}

const decimalLadders = [1, 2, 3, 5, 10, 20].map((stride) => powersOf(10 ** stride));
const byteLadders = [1, 2, 3, 4, 5, 10, 20, 50].map((stride) => powersOf(2 ** stride));

// Times of people's size, where the round values are no longer powers of ten.
const clockDense = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000],
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 5, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * dayMs),
];
const clockSparse = [
  ...[-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4].map((power) => 10 ** power),
  ...[minuteMs, 10 * minuteMs, hourMs, dayMs, 10 * dayMs, 100 * dayMs, 1000 * dayMs],
];

/** The choices of rungs that cover a range, from dense to sparse. */
function coveringLadders(family: UnitFamily, range: Range): number[][] {
  if (family === "bytes") return byteLadders.map((ladder) => rungsCovering(ladder, range));
  const clocks = family === "time" ? [clockDense, clockSparse] : [];
  return [
    ...clocks.map((rungs) => sliceCovering(rungs, range)),
    ...[oneTwoFive, ...decimalLadders].map((ladder) => rungsCovering(ladder, range)),
  ].filter((rungs) => rungs.length > 0);
}

function rungsCovering(ladder: Ladder, range: Range): number[] {
  const first = Math.floor(ladder.indexNear(range.min)) - 2;
  const last = Math.ceil(ladder.indexNear(range.max)) + 2;
  const rungs = Array.from({ length: last - first + 1 }, (_, offset) =>
    ladder.rung(first + offset),
  );
  return sliceCovering(rungs, range);
}

/** From the last rung not above `min` to the first not below `max`; none when they do not reach. */
function sliceCovering(rungs: readonly number[], range: Range): number[] {
  const first = rungs.findLastIndex((rung) => rung <= range.min);
  const last = rungs.findIndex((rung) => rung >= range.max);
  return first < 0 || last < 0 ? [] : rungs.slice(first, Math.max(last, first + 1) + 1);
}

/** Every n-th of too many, always with the last. */
function thin(ticks: readonly number[], wanted: number): number[] {
  const stride = Math.max(1, Math.ceil(ticks.length / Math.max(2, wanted)));
  const kept = ticks.filter((_, index) => index % stride === 0);
  const last = ticks.at(-1);
  return last === undefined || kept.at(-1) === last ? kept : [...kept, last];
}

interface Covering extends Range {
  readonly grow: (value: number, sign: 1 | -1) => number;
}

/** Rounding can leave an end a hair short of the range; one more tick repairs it. */
function covering(ticks: readonly number[], { min, max, grow }: Covering): number[] {
  const all = [...ticks];
  const [first] = all;
  if (first !== undefined && first > min) all.unshift(grow(first, -1));
  const last = all.at(-1);
  if (last !== undefined && last < max) all.push(grow(last, 1));
  return all;
}

/** Without the noise of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  const rounded = Number(value.toPrecision(14));
  return rounded === 0 ? 0 : rounded;
}
