import { groupBy } from "../classify/cohorts.ts";
import type { RunRecord } from "../run.ts";
import type { ClusterReportData } from "./data.ts";

/** How long it took until something bad was called bad. */
export interface Detection {
  readonly node: string;
  /** What it was, where that is known. */
  readonly kind: string | undefined;
  /** From its beginning, or from the first sign of it. */
  readonly sinceMs: number;
  /** When the verdict was `fail`; undefined when it has not been yet. */
  readonly foundAtMs: number | undefined;
}

export interface Detections {
  /** What the times are counted from: the true beginning, or the first run that looked bad. */
  readonly from: "onset" | "first-bad-run";
  readonly all: readonly Detection[];
}

/**
 * How soon defects were found. A simulation knows when each began; elsewhere the first run that was
 * not good stands for that, so that only the time until certainty can be told.
 */
export function detectionsOf(data: ClusterReportData): Detections {
  return data.truth === undefined
    ? { from: "first-bad-run", all: fromFirstBadRun(data) }
    : { from: "onset", all: fromOnset(data, data.truth) };
}

function fromOnset(
  { runs, fromMs, untilMs }: ClusterReportData,
  truth: NonNullable<ClusterReportData["truth"]>,
): Detection[] {
  const failsOf = groupBy(
    runs.filter(({ verdict }) => verdict?.verdict === "fail"),
    ({ intent }) => intent.node,
  );
  // Those that were there in the window, whenever they began.
  const present = truth.filter(
    ({ onsetMs, endMs = Number.POSITIVE_INFINITY }) => onsetMs < untilMs && endMs > fromMs,
  );
  return present.map(({ node, kind, onsetMs, endMs = Number.POSITIVE_INFINITY }) => {
    const found = (failsOf.get(node) ?? [])
      .filter(({ intent }) => intent.plannedAtMs >= onsetMs && intent.plannedAtMs < endMs)
      .map(foundAt);
    return { node, kind, sinceMs: onsetMs, foundAtMs: earliest(found) };
  });
}

function fromFirstBadRun({ runs }: ClusterReportData): Detection[] {
  const detections: Detection[] = [];
  for (const [node, own] of groupBy(runs, ({ intent }) => intent.node)) {
    let firstBad: RunRecord | undefined;
    for (const run of own.toSorted((a, b) => a.intent.plannedAtMs - b.intent.plannedAtMs)) {
      const verdict = run.verdict?.verdict;
      if (verdict === "pass" || verdict === "warn") firstBad = undefined;
      if (verdict !== "suspect" && verdict !== "fail") continue;
      firstBad ??= run;
      if (verdict !== "fail") continue;
      const sinceMs = firstBad.result?.endedAtMs ?? firstBad.intent.plannedAtMs;
      detections.push({ node, kind: undefined, sinceMs, foundAtMs: foundAt(run) });
      break;
    }
  }
  return detections;
}

function foundAt({ intent, result, verdict }: RunRecord): number {
  return verdict?.atMs ?? result?.endedAtMs ?? intent.plannedAtMs;
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The times of those that were found, ascending, in hours; never less than nothing. */
export function hoursToDetect({ all }: Detections): number[] {
  return all
    .flatMap(({ sinceMs, foundAtMs }) =>
      foundAtMs === undefined ? [] : [Math.max(0, foundAtMs - sinceMs) / 3_600_000],
    )
    .toSorted((a, b) => a - b);
}
