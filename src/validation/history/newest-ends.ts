import type { Queryable, RowsQuery, StoredRow } from "../../platform/store/index.ts";
import type { RunOutcome, Verdict } from "../../platform/words.ts";

/** A run that ended, without its samples: enough to say how its node stands. */
export interface EndedInShort {
  readonly runId: string;
  readonly endedAtMs: number;
  readonly outcome: RunOutcome;
  readonly error: string | undefined;
  /** Undefined while nobody has judged it. */
  readonly verdict: Verdict | undefined;
  readonly reason: string | undefined;
  readonly isIncident: boolean;
}

/** The newest ends of one check on one node. */
export interface NewestEnds {
  readonly node: string;
  readonly check: string;
  /** The run that ended last, however it did. */
  readonly ended: EndedInShort;
  /** The run that completed last; may be the same. */
  readonly completed: EndedInShort | undefined;
}

/** How far the records were read: whatever has a greater number is new. */
export interface RecordMark {
  readonly resultSeq: number;
  readonly verdictSeq: number;
}

/** Numbers are given before a transaction ends, so that a smaller one may appear after a greater. */
const overlap = 256;

/** Where the records end now. */
export async function readRecordMark(db: Queryable): Promise<RecordMark> {
  const [results, verdicts] = [
    await db
      .selectFrom("run_results")
      .select((of) => of.fn.max("seq").as("seq"))
      .executeTakeFirst(),
    await db
      .selectFrom("run_verdicts")
      .select((of) => of.fn.max("seq").as("seq"))
      .executeTakeFirst(),
  ];
  return { resultSeq: results?.seq ?? 0, verdictSeq: verdicts?.seq ?? 0 };
}

/**
 * The nodes of a cluster with results or verdicts since a mark; undefined when there are more new
 * records than `limit`, and reading everything is cheaper.
 */
export async function readChangedNodes(
  db: Queryable,
  given: { readonly cluster: string; readonly since: RecordMark; readonly limit: number },
): Promise<ReadonlySet<string> | undefined> {
  const { cluster, since, limit } = given;
  const ofCluster = db
    .selectFrom("run_intents")
    .select("run_intents.node")
    .where("run_intents.cluster", "=", cluster)
    .limit(limit + 1);
  const byResult = await ofCluster
    .innerJoin("run_results", "run_results.run_id", "run_intents.id")
    .where("run_results.seq", ">", since.resultSeq - overlap)
    .execute();
  const byVerdict = await ofCluster
    .innerJoin("run_verdicts", "run_verdicts.run_id", "run_intents.id")
    .where("run_verdicts.seq", ">", since.verdictSeq - overlap)
    .execute();
  if (byResult.length > limit || byVerdict.length > limit) return undefined;
  return new Set([...byResult, ...byVerdict].map(({ node }) => node));
}

/** One page of the newest ends of a check, by name of node; or those of some nodes. */
export async function readNewestEnds(
  db: Queryable,
  given: {
    readonly cluster: string;
    readonly check: string;
    readonly of:
      | { readonly afterNode: string; readonly limit: number }
      | { readonly nodes: readonly string[] };
  },
): Promise<readonly NewestEnds[]> {
  const { cluster, check, of } = given;
  let latest = db
    .selectFrom("latest_runs")
    .selectAll()
    .where("cluster", "=", cluster)
    .where("check_name", "=", check)
    .orderBy("node");
  latest =
    "nodes" in of
      ? latest.where("node", "in", [...of.nodes])
      : latest.where("node", ">", of.afterNode).limit(of.limit);
  const rows = await endsQuery(db, latest).execute();
  return rows.map((row) => ({
    node: row.node,
    check: row.check_name,
    ended: {
      runId: row.ended_run,
      endedAtMs: row.ended_at,
      outcome: row.ended_outcome,
      error: row.ended_error ?? undefined,
      verdict: row.ended_verdict ?? undefined,
      reason: row.ended_reason ?? undefined,
      isIncident: isIncident(row.ended_findings),
    },
    completed:
      row.completed_run === null || row.completed_at === null
        ? undefined
        : {
            runId: row.completed_run,
            endedAtMs: row.completed_at,
            outcome: "completed",
            error: undefined,
            verdict: row.completed_verdict ?? undefined,
            reason: row.completed_reason ?? undefined,
            isIncident: isIncident(row.completed_findings),
          },
  }));
}

function endsQuery(db: Queryable, latest: RowsQuery<StoredRow<"latest_runs">>) {
  return db
    .selectFrom(latest.as("latest"))
    .innerJoin("run_results as result", (join) =>
      join.onRef("result.run_id", "=", "latest.ended_run").on("result.origin", "=", (of) =>
        of
          .selectFrom("run_results as said")
          // `pod` outweighs `loop`, and is the greater of the two words.
          .select((said) => said.fn.max("said.origin").as("origin"))
          .whereRef("said.run_id", "=", "latest.ended_run"),
      ),
    )
    .leftJoin("run_verdicts as own", (join) =>
      join.on("own.seq", "=", (of) =>
        of
          .selectFrom("run_verdicts as every")
          .select((every) => every.fn.max("every.seq").as("seq"))
          .whereRef("every.run_id", "=", "latest.ended_run"),
      ),
    )
    .leftJoin("run_verdicts as before", (join) =>
      join.on("before.seq", "=", (of) =>
        of
          .selectFrom("run_verdicts as each")
          .select((each) => each.fn.max("each.seq").as("seq"))
          .whereRef("each.run_id", "=", "latest.completed_run"),
      ),
    )
    .selectAll("latest")
    .select([
      "result.outcome as ended_outcome",
      "result.error as ended_error",
      "own.verdict as ended_verdict",
      "own.reason as ended_reason",
      "own.findings as ended_findings",
      "before.verdict as completed_verdict",
      "before.reason as completed_reason",
      "before.findings as completed_findings",
    ])
    .orderBy("latest.node");
}

/** Findings are kept as JSON of our own writing; this asks no more of them than one word. */
function isIncident(findings: string | null): boolean {
  return findings?.includes('"rule":"incident"') ?? false;
}
