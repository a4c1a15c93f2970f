import type { Queryable } from "../../platform/store/index.ts";
import type { RunOutcome, Verdict } from "../../platform/words.ts";
import type { RunIntent } from "../run.ts";
import { toIntent } from "./intent-rows.ts";

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

/** A place in the order of planning. */
export interface RunPlace {
  readonly plannedAtMs: number;
  readonly seq: number;
}

export interface RunPageFilter {
  readonly id?: string;
  readonly cluster?: string;
  readonly node?: string;
  readonly check?: string;
  readonly outcome?: RunOutcome | "open";
  readonly verdict?: Verdict;
  /** Only what was planned before this one. */
  readonly before?: RunPlace;
  /** Nothing that was planned before this one. */
  readonly from?: RunPlace;
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
  const { cluster, node, check, before } = filter;
  let query = db.selectFrom("run_intents as intent").select(["planned_at", "seq"]);
  if (cluster !== undefined) query = query.where("intent.cluster", "=", cluster);
  if (node !== undefined) query = query.where("intent.node", "=", node);
  if (check !== undefined) query = query.where("intent.check_name", "=", check);
  if (before !== undefined) {
    const { plannedAtMs, seq } = before;
    query = query.where("intent.planned_at", "<=", plannedAtMs);
    query = query.where((of) =>
      of.or([of("intent.planned_at", "<", plannedAtMs), of("intent.seq", "<", seq)]),
    );
  }
  const row = await query
    .orderBy("intent.planned_at", "desc")
    .orderBy("intent.seq", "desc")
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
  const { id, cluster, node, check, outcome, verdict, before, from, limit } = filter;
  let query = runsQuery(db);
  if (id !== undefined) query = query.where("intent.id", "=", id);
  if (cluster !== undefined) query = query.where("intent.cluster", "=", cluster);
  if (node !== undefined) query = query.where("intent.node", "=", node);
  if (check !== undefined) query = query.where("intent.check_name", "=", check);
  if (verdict !== undefined) query = query.where("judged.verdict", "=", verdict);
  if (outcome === "open") query = query.where("result.outcome", "is", null);
  else if (outcome !== undefined) query = query.where("result.outcome", "=", outcome);
  if (before !== undefined) {
    const { plannedAtMs, seq } = before;
    query = query.where("intent.planned_at", "<=", plannedAtMs);
    query = query.where((of) =>
      of.or([of("intent.planned_at", "<", plannedAtMs), of("intent.seq", "<", seq)]),
    );
  }
  if (from !== undefined) {
    const { plannedAtMs, seq } = from;
    query = query.where("intent.planned_at", ">=", plannedAtMs);
    query = query.where((of) =>
      of.or([of("intent.planned_at", ">", plannedAtMs), of("intent.seq", ">=", seq)]),
    );
  }
  const rows = await query
    .orderBy("intent.planned_at", "desc")
    .orderBy("intent.seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(toRun);
}

function runsQuery(db: Queryable) {
  return db
    .selectFrom("run_intents as intent")
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
    )
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
