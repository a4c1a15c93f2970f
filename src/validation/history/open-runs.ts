import type { Queryable, Store } from "../../platform/store/index.ts";
import type { OpenRun, RunIntent } from "../run.ts";
import type { RunNote } from "./history.ts";
import { toIntent } from "./intent-rows.ts";

/** @see History.openRuns */
export async function openRuns(db: Queryable, cluster: string): Promise<readonly OpenRun[]> {
  // The outer joins find at most one note each, because a phase is noted once.
  const rows = await db
    .selectFrom("open_runs")
    .innerJoin("run_intents", "run_intents.id", "open_runs.run_id")
    .leftJoin("run_notes as submitted", (join) =>
      join.onRef("submitted.run_id", "=", "run_intents.id").on("submitted.phase", "=", "submitted"),
    )
    .leftJoin("run_notes as running", (join) =>
      join.onRef("running.run_id", "=", "run_intents.id").on("running.phase", "=", "running"),
    )
    .leftJoin("run_notes as ending", (join) =>
      join.onRef("ending.run_id", "=", "run_intents.id").on("ending.phase", "=", "cancelling"),
    )
    .selectAll("run_intents")
    .select([
      "submitted.at as submitted_at",
      "running.at as running_at",
      "ending.at as ending_at",
      "ending.reason as ending_reason",
      "ending.outcome as ending_outcome",
    ])
    .where("open_runs.cluster", "=", cluster)
    .orderBy("run_intents.planned_at")
    .orderBy("run_intents.seq")
    .execute();
  return rows.map((row) => {
    const { ending_at: atMs, ending_reason: reason, ending_outcome: outcome } = row;
    return {
      intent: toIntent(row),
      submittedAtMs: row.submitted_at ?? undefined,
      runningAtMs: row.running_at ?? undefined,
      cancelling:
        atMs === null || outcome === null ? undefined : { atMs, reason: reason ?? "", outcome },
    };
  });
}

/** @see History.noteRun */
export async function noteRun(store: Store, runId: string, note: RunNote): Promise<void> {
  const { phase, atMs: at } = note;
  const ending = note.phase === "cancelling" ? note : undefined;
  const row = { reason: ending?.reason ?? null, outcome: ending?.outcome ?? null };
  await store.db
    .insertInto("run_notes")
    .values({ run_id: runId, phase, at, ...row })
    .onConflict((conflict) => conflict.columns(["run_id", "phase"]).doNothing())
    .execute();
}

/** @see History.findIntent */
export async function findIntent(db: Queryable, runId: string): Promise<RunIntent | undefined> {
  const query = db.selectFrom("run_intents").selectAll().where("id", "=", runId);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : toIntent(row);
}
