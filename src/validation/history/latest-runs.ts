import type { NewRow, Queryable } from "../../platform/store/index.ts";
import type { RunOutcome } from "../../platform/words.ts";

/** A run whose result counts from now on. */
export interface EndedRun {
  readonly runId: string;
  readonly cluster: string;
  readonly node: string;
  readonly check: string;
  readonly outcome: RunOutcome;
  readonly endedAtMs: number;
  /** Another result of the same run counted before. */
  readonly replaces: boolean;
}

/** What is kept of a pair: which run ended last, and which of the completed. */
type LatestRow = NewRow<"latest_runs">;
type Pair = Pick<EndedRun, "cluster" | "node" | "check">;

/** Brings the latest run of each pair up to date with runs that ended. */
export async function keepLatest(trx: Queryable, ended: readonly EndedRun[]): Promise<void> {
  const latest = await readLatest(trx, ended);
  for (const run of ended) {
    const key = keyOf(run);
    latest.set(key, later(latest.get(key), run));
  }
  // What was kept may have been the result that no longer counts, so all records are asked.
  for (const run of ended.filter(({ replaces }) => replaces)) {
    latest.set(keyOf(run), await latestInRecords(trx, run));
  }
  const touched = new Set(ended.map(keyOf));
  const rows = [...latest].filter(([key]) => touched.has(key)).map(([, row]) => row);
  await trx
    .insertInto("latest_runs")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["cluster", "check_name", "node"]).doUpdateSet((row) => ({
        ended_at: row.ref("excluded.ended_at"),
        ended_run: row.ref("excluded.ended_run"),
        completed_at: row.ref("excluded.completed_at"),
        completed_run: row.ref("excluded.completed_run"),
      })),
    )
    .execute();
}

/** The row with one more run in it; results may come in another order than runs ended. */
function later(row: LatestRow | undefined, run: EndedRun): LatestRow {
  const { cluster, check, node, runId, endedAtMs } = run;
  const isNewer = (at: number | null | undefined, id: string | null | undefined) =>
    at === null || at === undefined || at < endedAtMs || (at === endedAtMs && (id ?? "") < runId);
  const ended = isNewer(row?.ended_at, row?.ended_run);
  const completed = run.outcome === "completed" && isNewer(row?.completed_at, row?.completed_run);
  return {
    cluster,
    check_name: check,
    node,
    ended_at: ended || row === undefined ? endedAtMs : row.ended_at,
    ended_run: ended || row === undefined ? runId : row.ended_run,
    completed_at: completed ? endedAtMs : (row?.completed_at ?? null),
    completed_run: completed ? runId : (row?.completed_run ?? null),
  };
}

/** The rows of the pairs these runs belong to, and of other checks on the same nodes. */
async function readLatest(
  trx: Queryable,
  ended: readonly EndedRun[],
): Promise<Map<string, LatestRow>> {
  const distinct = (of: (run: EndedRun) => string) => [...new Set(ended.map(of))];
  const rows = await trx
    .selectFrom("latest_runs")
    .selectAll()
    .where(
      "cluster",
      "in",
      distinct(({ cluster }) => cluster),
    )
    .where(
      "check_name",
      "in",
      distinct(({ check }) => check),
    )
    .where(
      "node",
      "in",
      distinct(({ node }) => node),
    )
    .execute();
  return new Map(
    rows.map((row) => [
      keyOf({ cluster: row.cluster, check: row.check_name, node: row.node }),
      row,
    ]),
  );
}

async function latestInRecords(trx: Queryable, pair: Pair): Promise<LatestRow> {
  const { cluster, check, node } = pair;
  const counting = trx
    .selectFrom("run_intents")
    .innerJoin("run_results as result", (join) =>
      join.onRef("result.run_id", "=", "run_intents.id").on("result.origin", "=", (of) =>
        of
          .selectFrom("run_results as said")
          // `pod` outweighs `loop`, and is the greater of the two words.
          .select((said) => said.fn.max("said.origin").as("origin"))
          .whereRef("said.run_id", "=", "run_intents.id"),
      ),
    )
    .select(["result.run_id", "result.ended_at"])
    .where("run_intents.cluster", "=", cluster)
    .where("run_intents.node", "=", node)
    .where("run_intents.check_name", "=", check)
    .orderBy("result.ended_at", "desc")
    .orderBy("result.run_id", "desc")
    .limit(1);
  const ended = await counting.executeTakeFirstOrThrow();
  const completed = await counting.where("result.outcome", "=", "completed").executeTakeFirst();
  return {
    cluster,
    check_name: check,
    node,
    ended_at: ended.ended_at,
    ended_run: ended.run_id,
    completed_at: completed?.ended_at ?? null,
    completed_run: completed?.run_id ?? null,
  };
}

function keyOf({ cluster, check, node }: Pair): string {
  return JSON.stringify([cluster, check, node]);
}
