import type { Queryable } from "../../platform/store/index.ts";
import type { ResultOrigin, RunVerdict } from "../run.ts";
import { chunksOf } from "./chunks.ts";
import { toVerdictRow } from "./verdict-rows.ts";

/** Records verdicts in a transaction. @see History.recordVerdicts */
export async function recordVerdicts(
  trx: Queryable,
  verdicts: readonly RunVerdict[],
): Promise<void> {
  for (const part of chunksOf(verdicts)) await recordPart(trx, part);
}

async function recordPart(trx: Queryable, verdicts: readonly RunVerdict[]): Promise<void> {
  const ids = [...new Set(verdicts.map(({ runId }) => runId))];
  const counting = await countingOrigins(trx, ids);
  const rows = verdicts.map((verdict) =>
    toVerdictRow(verdict, verdict.about ?? counting.get(verdict.runId)),
  );
  await trx.insertInto("run_verdicts").values(rows).execute();
  // A verdict on the loop's conclusion does not settle what the pod handed in meanwhile.
  const settled = rows
    .filter(({ run_id: id, origin }) => origin === counting.get(id))
    .map(({ run_id: id }) => id);
  if (settled.length === 0) return;
  await trx.deleteFrom("unjudged_runs").where("run_id", "in", settled).execute();
}

/** Whose result counts, by run. */
async function countingOrigins(
  trx: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ResultOrigin>> {
  const rows = await trx
    .selectFrom("run_results")
    .select(["run_id", "origin"])
    .where("run_id", "in", ids)
    .execute();
  const counting = new Map<string, ResultOrigin>();
  for (const { run_id: id, origin } of rows) {
    if (origin === "pod" || !counting.has(id)) counting.set(id, origin);
  }
  return counting;
}
