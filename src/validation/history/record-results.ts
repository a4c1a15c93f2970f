import type { NewRow, Queryable } from "../../platform/store/index.ts";
import type { ResultOrigin } from "../run.ts";
import { chunksOf } from "./chunks.ts";
import { type EndedRun, keepLatest } from "./latest-runs.ts";
import type { ResultRow } from "./result-rows.ts";

/** A result on its way into the store. */
export interface IncomingResult {
  readonly row: ResultRow;
  readonly handIn: NewRow<"run_hand_ins"> | undefined;
}

export type RecordAnswer = "recorded" | "already" | "no-such-run";

/** What the store says about the runs of some results. */
interface Known {
  /** Every run that exists, by its id. */
  readonly pairs: ReadonlyMap<string, Pick<EndedRun, "cluster" | "node" | "check">>;
  /** The results that are there, by run. */
  readonly origins: ReadonlyMap<string, ReadonlySet<ResultOrigin>>;
}

/** Records results in a transaction, and answers for each in order. */
export async function recordResults(
  trx: Queryable,
  incoming: readonly IncomingResult[],
): Promise<readonly RecordAnswer[]> {
  const answers: RecordAnswer[] = [];
  for (const part of chunksOf(incoming)) answers.push(...(await recordPart(trx, part)));
  return answers;
}

async function recordPart(
  trx: Queryable,
  incoming: readonly IncomingResult[],
): Promise<readonly RecordAnswer[]> {
  const known = await readKnown(trx, [...new Set(incoming.map(({ row }) => row.run_id))]);
  const { answers, fresh } = judge(incoming, known);
  if (fresh.length > 0)
    await trx
      .insertInto("run_results")
      .values([...fresh])
      .execute();
  const handIns = incoming.flatMap(({ handIn }) =>
    handIn !== undefined && known.pairs.has(handIn.run_id) ? [handIn] : [],
  );
  if (handIns.length > 0) {
    await trx
      .insertInto("run_hand_ins")
      .values(handIns)
      .onConflict((conflict) => conflict.columns(["run_id", "way"]).doNothing())
      .execute();
  }
  await follow(trx, countingOf(fresh, known));
  return answers;
}

/** The first of each origin counts. */
function judge(
  incoming: readonly IncomingResult[],
  known: Known,
): { readonly answers: readonly RecordAnswer[]; readonly fresh: readonly ResultRow[] } {
  const taken = new Set<string>();
  const fresh: ResultRow[] = [];
  const answers = incoming.map(({ row }): RecordAnswer => {
    if (!known.pairs.has(row.run_id)) return "no-such-run";
    const key = `${row.origin} ${row.run_id}`;
    if (known.origins.get(row.run_id)?.has(row.origin) === true || taken.has(key)) return "already";
    taken.add(key);
    fresh.push(row);
    return "recorded";
  });
  return { answers, fresh };
}

/** Of new results those that count from now on, one for each run: the pod's outweighs the loop's. */
function countingOf(fresh: readonly ResultRow[], known: Known): readonly EndedRun[] {
  const counting = new Map<string, EndedRun>();
  for (const { run_id: runId, origin, outcome, ended_at: endedAtMs } of fresh) {
    const pair = known.pairs.get(runId);
    const before = known.origins.get(runId);
    const outweighed = origin === "loop" && (before?.has("pod") === true || counting.has(runId));
    if (pair === undefined || outweighed) continue;
    const replaces = before !== undefined;
    counting.set(runId, { ...pair, runId, outcome, endedAtMs, replaces });
  }
  return [...counting.values()];
}

/** Brings up to date what follows from the results that count. */
async function follow(trx: Queryable, ended: readonly EndedRun[]): Promise<void> {
  if (ended.length === 0) return;
  const closed = ended.filter(({ replaces }) => !replaces).map(({ runId }) => runId);
  if (closed.length > 0) {
    await trx.deleteFrom("open_runs").where("run_id", "in", closed).execute();
  }
  const unjudged = ended.map(({ runId, cluster, endedAtMs }) => ({
    run_id: runId,
    cluster,
    ended_at: endedAtMs,
  }));
  await trx
    .insertInto("unjudged_runs")
    .values(unjudged)
    .onConflict((conflict) =>
      conflict
        .column("run_id")
        .doUpdateSet((replaced) => ({ ended_at: replaced.ref("excluded.ended_at") })),
    )
    .execute();
  await keepLatest(trx, ended);
}

async function readKnown(trx: Queryable, ids: readonly string[]): Promise<Known> {
  const runs = await trx
    .selectFrom("run_intents")
    .select(["id", "cluster", "node", "check_name"])
    .where("id", "in", ids)
    .execute();
  const results = await trx
    .selectFrom("run_results")
    .select(["run_id", "origin"])
    .where("run_id", "in", ids)
    .execute();
  const origins = new Map<string, Set<ResultOrigin>>();
  for (const { run_id: id, origin } of results) {
    origins.set(id, (origins.get(id) ?? new Set()).add(origin));
  }
  const pairs = runs.map(
    ({ id, cluster, node, check_name: check }) => [id, { cluster, node, check }] as const,
  );
  return { pairs: new Map(pairs), origins };
}
