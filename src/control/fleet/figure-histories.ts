import type { RunRecord } from "../../validation/run.ts";
import type { FigureHistoryView } from "../api/nodes.ts";
import { sampleLevels } from "./samples.ts";

const pointsMax = 500;
const figuresMax = 64;

/** A figure of a node over time, before anything is drawn beside it. */
export type BareHistory = Omit<FigureHistoryView, "bounds" | "tail" | "siblings">;

/**
 * The figures of a node over time, from its runs, newest first. What the newest verdicts speak of
 * comes first; each history is oldest first.
 */
export function figureHistories(runs: readonly RunRecord[]): readonly BareHistory[] {
  const histories = new Map<string, BareHistory>();
  const named = new Set<string>();
  const judged = new Set<string>();
  for (const { intent, result, verdict } of runs) {
    if (verdict !== undefined && !judged.has(intent.check)) {
      judged.add(intent.check);
      for (const { metric } of verdict.findings) named.add(keyOf(intent.check, metric));
    }
    if (result?.outcome !== "completed") continue;
    for (const [figure, { samples, unit, higherIsBetter }] of Object.entries(result.figures)) {
      const levels = sampleLevels(samples);
      if (levels === undefined) continue;
      const key = keyOf(intent.check, figure);
      const own = histories.get(key) ?? {
        check: intent.check,
        figure,
        unit: unit ?? "",
        higherIsBetter,
        points: [],
      };
      // A figure whose meaning has changed is another figure, of which only the newest is shown.
      const isSame = own.unit === (unit ?? "") && own.higherIsBetter === higherIsBetter;
      if (isSame && own.points.length < pointsMax) {
        const at = new Date(result.endedAtMs).toISOString();
        const point = { runId: intent.id, at, ...levels, verdict: verdict?.verdict ?? null };
        own.points.push(point);
      }
      histories.set(key, own);
    }
  }
  for (const { points } of histories.values()) points.reverse();
  const isNamed = ({ check, figure }: BareHistory) => (named.has(keyOf(check, figure)) ? 0 : 1);
  return [...histories.values()]
    .toSorted((a, b) => isNamed(a) - isNamed(b) || compare(a, b))
    .slice(0, figuresMax);
}

function compare(a: BareHistory, b: BareHistory): number {
  return (
    a.check.localeCompare(b.check, "en") ||
    a.figure.localeCompare(b.figure, "en", { numeric: true })
  );
}

function keyOf(check: string, figure: string): string {
  return JSON.stringify([check, figure]);
}
