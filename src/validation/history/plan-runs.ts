import assert from "node:assert/strict";
import type { Queryable, Store } from "../../platform/store/index.ts";
import type { RunIntent } from "../run.ts";
import { chunksOf } from "./chunks.ts";
import type { History, PlanGate } from "./history.ts";
import { toIntentRow } from "./intent-rows.ts";
import { type GateState, passGate } from "./plan-gate.ts";

/** @see History.planRuns */
export async function planRuns(
  store: Store,
  gate: PlanGate,
  intents: readonly RunIntent[],
): ReturnType<History["planRuns"]> {
  assert(Number.isSafeInteger(gate.fence), "a fence is a whole number");
  for (const { cluster } of intents) {
    assert.equal(cluster, gate.cluster, "a plan is for one cluster");
  }
  return await store.transaction(async (trx) => {
    const state = await readGateState(trx, gate, intents);
    const { planned, refused, fresh } = passGate(gate, state, intents);
    if (state.fenceSeen === undefined || gate.fence > state.fenceSeen) {
      const { cluster, fence } = gate;
      await trx.insertInto("leader_fences").values({ cluster, fence }).execute();
    }
    for (const part of chunksOf(fresh)) await writeIntents(trx, part);
    return { planned, refused };
  });
}

async function readGateState(
  trx: Queryable,
  gate: PlanGate,
  intents: readonly RunIntent[],
): Promise<GateState> {
  const newest = await trx
    .selectFrom("leader_fences")
    .select("fence")
    .where("cluster", "=", gate.cluster)
    .orderBy("fence", "desc")
    .limit(1)
    .executeTakeFirst();
  const open = await trx
    .selectFrom("open_runs")
    .select("node")
    .where("cluster", "=", gate.cluster)
    .execute();
  const known = new Set<string>();
  for (const part of chunksOf(intents)) {
    const ids = part.map(({ id }) => id);
    const query = trx.selectFrom("run_intents").select("id").where("id", "in", ids);
    for (const { id } of await query.execute()) known.add(id);
  }
  return { fenceSeen: newest?.fence, nodesInUse: open.map(({ node }) => node), known };
}

async function writeIntents(trx: Queryable, intents: readonly RunIntent[]): Promise<void> {
  await trx.insertInto("run_intents").values(intents.map(toIntentRow)).execute();
  const open = intents.map(({ id, cluster, node }) => ({ run_id: id, cluster, node }));
  await trx.insertInto("open_runs").values(open).execute();
}
