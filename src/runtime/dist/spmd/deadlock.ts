import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { rankList } from "./rank-list.ts";

/** One call that a blocked rank waits in. */
export interface Wait {
  /** The call in words. */
  readonly wish: string;
  /** The ranks that have not come to it. */
  readonly missing: readonly number[];
}

/** Every rank whose program has not ended: what it waits in; empty when it may go on by itself. */
export type Waits = ReadonlyMap<number, readonly Wait[]>;

const stepsShownMax = 12;

/**
 * The ranks that can never go on. A call can still be answered when every rank it waits for may
 * come, and a rank may come when it waits for nothing of ours, or when one of the calls it waits in
 * can still be answered. Whoever is left over waits for others who are left over.
 */
export function stuckRanks(waits: Waits): readonly number[] {
  const mayComeYet = new Set([...waits].flatMap(([rank, own]) => (own.length === 0 ? [rank] : [])));
  for (let grew = true; grew; ) {
    grew = false;
    for (const [rank, own] of waits) {
      if (mayComeYet.has(rank)) continue;
      if (own.some(({ missing }) => missing.every((other) => mayComeYet.has(other)))) {
        mayComeYet.add(rank);
        grew = true;
      }
    }
  }
  return [...waits.keys()].filter((rank) => !mayComeYet.has(rank)).toSorted((a, b) => a - b);
}

interface Step {
  readonly rank: number;
  readonly wish: string;
  readonly waitsFor: number;
}

/** A circle of ranks, each waiting for the next, that starts at its lowest rank. */
export function waitCycle(waits: Waits, stuck: readonly number[]): readonly Step[] {
  const isStuck = new Set(stuck);
  const path: Step[] = [];
  let rank = stuck[0];
  while (rank !== undefined && !path.some((step) => step.rank === rank)) {
    const step = firstStep(waits, isStuck, rank);
    path.push(step);
    rank = step.waitsFor;
  }
  const circle = path.slice(path.findIndex((step) => step.rank === rank));
  const lowest = circle.reduce((best, step) => Math.min(best, step.rank), Number.MAX_SAFE_INTEGER);
  const at = circle.findIndex((step) => step.rank === lowest);
  return [...circle.slice(at), ...circle.slice(0, at)];
}

/** The error that every rank which cannot go on gets. */
export function deadlock(waits: Waits, stuck: readonly number[]): TesseraError {
  const cycle = waitCycle(waits, stuck);
  const shown = cycle
    .slice(0, stepsShownMax)
    .map(({ rank, wish, waitsFor }) => `rank ${rank} waits for rank ${waitsFor} in ${wish}`);
  if (cycle.length > shown.length)
    shown.push(`and ${cycle.length - shown.length} more, in a circle`);
  return new TesseraError("E_DEADLOCK", {
    ranks: rankList(stuck),
    cycle: shown.join("; "),
    stuck: [...stuck],
    steps: cycle,
  });
}

function firstStep(waits: Waits, isStuck: ReadonlySet<number>, rank: number): Step {
  for (const { wish, missing } of waits.get(rank) ?? []) {
    const waitsFor = missing.find((other) => isStuck.has(other));
    if (waitsFor !== undefined) return { rank, wish, waitsFor };
  }
  assert.fail("a stuck rank waits for a stuck rank");
}
