import type { RunRow } from "../../../../src/control/api/runs.ts";
import { formatSeconds } from "../../format.ts";

/** It completed and nobody has said yet how: that is not a pass. */
export function isUnjudged(run: Pick<RunRow, "state" | "outcome" | "verdict">): boolean {
  const isOver = run.outcome === "completed" || (run.outcome === null && run.state === "ended");
  return run.verdict === null && isOver;
}

/** How long it took; undefined while it runs. */
export function durationOf(run: Pick<RunRow, "startedAt" | "endedAt">): string | undefined {
  if (run.startedAt === null || run.endedAt === null) return undefined;
  return formatSeconds((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000);
}
