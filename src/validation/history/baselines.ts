import type { Queryable, Store } from "../../platform/store/index.ts";
import type { Baseline, BaselineRecord, BaselineState, History } from "./history.ts";

const limitDefault = 1000;

/** Keeps a new baseline as a candidate; the same again changes nothing. @see History.saveBaseline */
export async function saveBaseline(
  store: Store,
  baseline: Baseline,
  by: { readonly actor: string; readonly reason: string },
): Promise<void> {
  const { id, sku, check, cohort, madeAtMs, expiresAtMs } = baseline;
  const row = {
    id,
    sku,
    check_name: check,
    cohort,
    made_at: madeAtMs,
    expires_at: expiresAtMs,
    figures: JSON.stringify(baseline.figures),
    provenance: JSON.stringify(baseline.provenance),
  };
  await store.transaction(async (trx) => {
    const made = await trx
      .insertInto("baselines")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (made === undefined) return;
    const { actor, reason } = by;
    await trx
      .insertInto("baseline_changes")
      .values({ baseline_id: id, state: "candidate", at: madeAtMs, actor, reason })
      .execute();
  });
}

/** @throws Error when there is no baseline with this id. @see History.changeBaseline */
export async function changeBaseline(
  store: Store,
  id: string,
  change: Parameters<History["changeBaseline"]>[1],
): Promise<void> {
  const { state, atMs, actor, reason } = change;
  await store.transaction(async (trx) => {
    const query = trx.selectFrom("baselines").select("id").where("id", "=", id);
    if ((await query.executeTakeFirst()) === undefined) throw new Error(`no baseline is ${id}`);
    await trx
      .insertInto("baseline_changes")
      .values({ baseline_id: id, state, at: atMs, actor, reason })
      .execute();
  });
}

/** @see History.baselines */
export async function readBaselines(
  db: Queryable,
  filter: Parameters<History["baselines"]>[0],
): Promise<readonly BaselineRecord[]> {
  const { sku, check, cohort, state, after, limit = limitDefault } = filter;
  let query = db
    .selectFrom("baselines")
    .innerJoin("baseline_changes as change", (join) =>
      join.on("change.seq", "=", (of) =>
        of
          .selectFrom("baseline_changes as every")
          .select((every) => every.fn.max("every.seq").as("seq"))
          .whereRef("every.baseline_id", "=", "baselines.id"),
      ),
    )
    .selectAll("baselines")
    .select(["change.state", "change.at", "change.actor", "change.reason"]);
  if (sku !== undefined) query = query.where("sku", "=", sku);
  if (check !== undefined) query = query.where("check_name", "=", check);
  if (cohort !== undefined) query = query.where("cohort", "=", cohort);
  if (state !== undefined) query = query.where("change.state", "=", state);
  if (after !== undefined) {
    const { madeAtMs, id } = after;
    query = query.where((of) =>
      of.or([
        of("baselines.made_at", "<", madeAtMs),
        of.and([
          of("baselines.made_at", "=", madeAtMs),
          of("baselines.seq", "<", (own) =>
            own.selectFrom("baselines as last").select("last.seq").where("last.id", "=", id),
          ),
        ]),
      ]),
    );
  }
  const rows = await query
    .orderBy("baselines.made_at", "desc")
    .orderBy("baselines.seq", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const figures: Baseline["figures"] = JSON.parse(row.figures);
    const provenance: Baseline["provenance"] = JSON.parse(row.provenance);
    return {
      id: row.id,
      sku: row.sku,
      check: row.check_name,
      cohort: row.cohort,
      madeAtMs: row.made_at,
      expiresAtMs: row.expires_at,
      figures,
      provenance,
      state: row.state as BaselineState,
      changedAtMs: row.at,
      actor: row.actor,
      reason: row.reason,
    };
  });
}
