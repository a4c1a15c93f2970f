import type { Queryable } from "../../platform/store/index.ts";
import type { RunOutcome, Verdict } from "../../platform/words.ts";
import type { RunIntent } from "../run.ts";
import { toIntent } from "./intent-rows.ts";
import { type IntentFilter, intentsQuery, judgedQuery, type RunPlace } from "./read-records.ts";

/** A run as a list shows it. */
export interface RunInShort {
  readonly intent: RunIntent;
  /** The order of planning, for going on after it. */
  readonly seq: number;
  readonly submittedAtMs: number | undefined;
  readonly runningAtMs: number | undefined;
  readonly cancellingAtMs: number | undefined;
  readonly ended:
    | {
        readonly outcome: RunOutcome;
        readonly startedAtMs: number | undefined;
        readonly endedAtMs: number;
        readonly error: string | undefined;
      }
    | undefined;
  readonly verdict: Verdict | undefined;
  readonly reason: string | undefined;
}

export interface RunPageFilter
  extends Pick<IntentFilter, "id" | "cluster" | "node" | "check" | "before" | "from"> {
  readonly outcome?: RunOutcome | "open" | undefined;
  readonly verdict?: Verdict | undefined;
  readonly limit: number;
}

/**
 * So many runs are looked at for one page of those that ended or were judged in some way: there is
 * no order of these, and a history is long.
 */
const lookedAtMax = 5000;

/** Where a look for one page ends; undefined when it reaches the oldest run. */
export async function readLookEnd(
  db: Queryable,
  filter: Omit<RunPageFilter, "limit">,
  lookMax = lookedAtMax,
): Promise<RunPlace | undefined> {
  const row = await intentsQuery(db, filter)
    .orderBy("planned_at", "desc")
    .orderBy("seq", "desc")
    .offset(lookMax - 1)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { plannedAtMs: row.planned_at, seq: row.seq };
}

/** One page of runs, newest plan first, without what they measured. */
export async function readRunPage(
  db: Queryable,
  filter: RunPageFilter,
): Promise<readonly RunInShort[]> {
  const { outcome, verdict, limit } = filter;
  let query = runsQuery(db, filter);
  if (verdict !== undefined) query = query.where("judged.verdict", "=", verdict);
  if (outcome === "open") query = query.where("result.outcome", "is", null);
  else if (outcome !== undefined) query = query.where("result.outcome", "=", outcome);
  const rows = await query
    .orderBy("intent.planned_at", "desc")
    .orderBy("intent.seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(toRun);
}

function runsQuery(db: Queryable, filter: IntentFilter) {
  return judgedQuery(db, intentsQuery(db, filter))
    .leftJoin("run_notes as submitted", (join) =>
      join.onRef("submitted.run_id", "=", "intent.id").on("submitted.phase", "=", "submitted"),
    )
    .leftJoin("run_notes as running", (join) =>
      join.onRef("running.run_id", "=", "intent.id").on("running.phase", "=", "running"),
    )
    .leftJoin("run_notes as ending", (join) =>
      join.onRef("ending.run_id", "=", "intent.id").on("ending.phase", "=", "cancelling"),
    )
    .selectAll("intent")
    .select([
      "result.outcome",
      "result.started_at",
      "result.ended_at",
      "result.error",
      "judged.verdict",
      "judged.reason as verdict_reason",
      "submitted.at as submitted_at",
      "running.at as running_at",
      "ending.at as ending_at",
    ]);
}

type PageRow = Awaited<ReturnType<ReturnType<typeof runsQuery>["execute"]>>[number];

function toRun(row: PageRow): RunInShort {
  const { outcome, ended_at: endedAtMs } = row;
  return {
    intent: toIntent(row),
    seq: row.seq,
    submittedAtMs: row.submitted_at ?? undefined,
    runningAtMs: row.running_at ?? undefined,
    cancellingAtMs: row.ending_at ?? undefined,
    ended:
      outcome === null || endedAtMs === null
        ? undefined
        : {
            outcome,
            startedAtMs: row.started_at ?? undefined,
            endedAtMs,
            error: row.error ?? undefined,
          },
    verdict: row.verdict ?? undefined,
    reason: row.verdict_reason ?? undefined,
  };
}

/** Where a run stands. */
export function runState(
  run: Pick<RunInShort, "ended" | "cancellingAtMs" | "runningAtMs" | "submittedAtMs">,
): "planned" | "submitted" | "running" | "cancelling" | "ended" {
  if (run.ended !== undefined) return "ended";
  if (run.cancellingAtMs !== undefined) return "cancelling";
  if (run.runningAtMs !== undefined) return "running";
  return run.submittedAtMs === undefined ? "planned" : "submitted";
}
