import type { Queryable, RowsQuery, StoredRow } from "../../platform/store/index.ts";
import type { RunRecord } from "../run.ts";
import type { RunFilter } from "./history.ts";
import { toIntent } from "./intent-rows.ts";
import { toResult } from "./result-rows.ts";
import { toVerdict } from "./verdict-rows.ts";

const limitDefault = 10_000;

/** A place in the order of planning. */
export interface RunPlace {
  readonly plannedAtMs: number;
  readonly seq: number;
}

/** Which intents to read, and between which places in their order. */
export interface IntentFilter extends Omit<RunFilter, "limit"> {
  readonly id?: string | undefined;
  /** Only what was planned before this one. */
  readonly before?: RunPlace | undefined;
  /** Nothing that was planned before this one. */
  readonly from?: RunPlace | undefined;
}

/** The intents that a filter asks for, in no order yet. */
export function intentsQuery(
  db: Queryable,
  filter: IntentFilter,
): RowsQuery<StoredRow<"run_intents">> {
  const { id, cluster, node, check, plannedFromMs, plannedBeforeMs, before, from } = filter;
  let wanted = db.selectFrom("run_intents").selectAll();
  if (id !== undefined) wanted = wanted.where("id", "=", id);
  if (cluster !== undefined) wanted = wanted.where("cluster", "=", cluster);
  if (node !== undefined) wanted = wanted.where("node", "=", node);
  if (check !== undefined) wanted = wanted.where("check_name", "=", check);
  if (plannedFromMs !== undefined) wanted = wanted.where("planned_at", ">=", plannedFromMs);
  if (plannedBeforeMs !== undefined) wanted = wanted.where("planned_at", "<", plannedBeforeMs);
  if (before !== undefined) {
    const { plannedAtMs, seq } = before;
    wanted = wanted.where("planned_at", "<=", plannedAtMs);
    wanted = wanted.where((of) => of.or([of("planned_at", "<", plannedAtMs), of("seq", "<", seq)]));
  }
  if (from !== undefined) {
    const { plannedAtMs, seq } = from;
    wanted = wanted.where("planned_at", ">=", plannedAtMs);
    wanted = wanted.where((of) =>
      of.or([of("planned_at", ">", plannedAtMs), of("seq", ">=", seq)]),
    );
  }
  return wanted;
}

/** @see History.runs */
export async function readRuns(db: Queryable, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { limit = limitDefault } = filter;
  const newest = intentsQuery(db, filter)
    .orderBy("planned_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit);
  const rows = await recordsQuery(db, newest)
    .orderBy("intent.planned_at", "desc")
    .orderBy("intent.seq", "desc")
    .execute();
  return rows.map(toRecord);
}

/** @see History.unjudgedRuns */
export async function readUnjudged(
  db: Queryable,
  cluster: string,
  limit: number,
): Promise<readonly RunRecord[]> {
  const oldest = db
    .selectFrom("unjudged_runs")
    .innerJoin("run_intents", "run_intents.id", "unjudged_runs.run_id")
    .selectAll("run_intents")
    .where("unjudged_runs.cluster", "=", cluster)
    .orderBy("unjudged_runs.ended_at")
    .orderBy("unjudged_runs.run_id")
    .limit(limit);
  const rows = await recordsQuery(db, oldest)
    .orderBy("result.ended_at")
    .orderBy("intent.id")
    .execute();
  return rows.map(toRecord);
}

/** Runs with all that is known of each. */
function recordsQuery(db: Queryable, intents: RowsQuery<StoredRow<"run_intents">>) {
  return bareRecordsQuery(db, intents).select([
    "result.hard_facts as result_hard_facts",
    "result.figures as result_figures",
    "result.facts as result_facts",
  ]);
}

/** Runs with what their result and verdict say, without what was measured. */
export function bareRecordsQuery(db: Queryable, intents: RowsQuery<StoredRow<"run_intents">>) {
  return judgedQuery(db, intents)
    .selectAll("intent")
    .select([
      "result.origin as result_origin",
      "result.outcome as result_outcome",
      "result.started_at as result_started_at",
      "result.ended_at as result_ended_at",
      "result.error as result_error",
      "result.cohort as result_cohort",
      "judged.at as verdict_at",
      "judged.verdict as verdict",
      "judged.origin as verdict_origin",
      "judged.reason as verdict_reason",
      "judged.baseline_id as verdict_baseline_id",
      "judged.findings as verdict_findings",
    ]);
}

/**
 * Runs, beside each the result that counts and the newest verdict. Which runs is settled first, so
 * that an engine that knows little about the tables looks up no more than those.
 */
export function judgedQuery(db: Queryable, intents: RowsQuery<StoredRow<"run_intents">>) {
  return db
    .selectFrom(intents.as("intent"))
    .leftJoin("run_results as result", (join) =>
      join.onRef("result.run_id", "=", "intent.id").on("result.origin", "=", (of) =>
        of
          .selectFrom("run_results as said")
          // `pod` outweighs `loop`, and is the greater of the two words.
          .select((said) => said.fn.max("said.origin").as("origin"))
          .whereRef("said.run_id", "=", "intent.id"),
      ),
    )
    .leftJoin("run_verdicts as judged", (join) =>
      join.on("judged.seq", "=", (of) =>
        of
          .selectFrom("run_verdicts as every")
          .select((every) => every.fn.max("every.seq").as("seq"))
          .whereRef("every.run_id", "=", "intent.id"),
      ),
    );
}

type BareRow = Awaited<ReturnType<ReturnType<typeof bareRecordsQuery>["execute"]>>[number];
type MeasuredColumn = "result_hard_facts" | "result_figures" | "result_facts";
type RecordRow = BareRow & { readonly [Column in MeasuredColumn]?: string | null };

/** A row as a record; figures and facts that were not read are empty. */
export function toRecord(row: RecordRow): RunRecord {
  return { intent: toIntent(row), result: resultIn(row), verdict: verdictIn(row) };
}

function resultIn(row: RecordRow): RunRecord["result"] {
  const { result_origin: origin, result_outcome: outcome, result_ended_at: ended_at } = row;
  if (origin === null || outcome === null || ended_at === null) return undefined;
  return toResult({
    run_id: row.id,
    origin,
    outcome,
    ended_at,
    started_at: row.result_started_at,
    error: row.result_error,
    cohort: row.result_cohort,
    hard_facts: row.result_hard_facts ?? "[]",
    figures: row.result_figures ?? "{}",
    facts: row.result_facts ?? "{}",
  });
}

function verdictIn(row: RecordRow): RunRecord["verdict"] {
  const { verdict, verdict_at: at } = row;
  if (verdict === null || at === null) return undefined;
  return toVerdict({
    run_id: row.id,
    at,
    verdict,
    origin: row.verdict_origin,
    reason: row.verdict_reason ?? "",
    baseline_id: row.verdict_baseline_id,
    findings: row.verdict_findings ?? "[]",
  });
}
