import type { JsonObject, NewRow, StoredRow } from "../../platform/store/index.ts";
import type { ResultOrigin, RunFigure, RunResult } from "../run.ts";

export type ResultRow = NewRow<"run_results">;

export function toResultRow(
  result: RunResult,
  from: { readonly origin: ResultOrigin; readonly atMs: number },
): ResultRow {
  return {
    run_id: result.runId,
    origin: from.origin,
    recorded_at: from.atMs,
    outcome: result.outcome,
    started_at: result.startedAtMs ?? null,
    ended_at: result.endedAtMs,
    error: result.error ?? null,
    cohort: result.cohort ?? null,
    hard_facts: JSON.stringify(result.hardFacts),
    figures: JSON.stringify(result.figures),
    facts: JSON.stringify(result.facts),
  };
}

export function toResult(
  row: Omit<StoredRow<"run_results">, "seq" | "recorded_at">,
): RunResult & { readonly origin: ResultOrigin } {
  const hardFacts: readonly string[] = JSON.parse(row.hard_facts);
  const facts: JsonObject = JSON.parse(row.facts);
  return {
    runId: row.run_id,
    outcome: row.outcome,
    ...(row.started_at === null ? {} : { startedAtMs: row.started_at }),
    endedAtMs: row.ended_at,
    ...(row.error === null ? {} : { error: row.error }),
    figures: toFigures(row.figures),
    hardFacts,
    ...(row.cohort === null ? {} : { cohort: row.cohort }),
    facts,
    origin: row.origin,
  };
}

/** JSON writes a number that is none as null; it must not come back as something that counts. */
export function toFigures(text: string): Readonly<Record<string, RunFigure>> {
  const figures: Record<string, RunFigure> = JSON.parse(text);
  if (!text.includes("null")) return figures;
  const mended = Object.entries(figures).map(([name, figure]) => {
    const samples = figure.samples.map((sample: number | null) => sample ?? Number.NaN);
    return [name, { ...figure, samples }] as const;
  });
  return Object.fromEntries(mended);
}
