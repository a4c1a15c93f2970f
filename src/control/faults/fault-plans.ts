import type { FaultPlan } from "../../hardware/plan/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { asFaultPlan } from "./predicted.ts";

/** Of more faults nobody asks what was foretold. */
const plansMax = 1000;

/** What was foretold of the faults that this installation asked for. */
export class FaultPlans {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async keep(id: string, plan: FaultPlan, nowMs: number): Promise<void> {
    await this.#store.transaction(async (trx) => {
      await trx
        .insertInto("hardware_plans")
        .values({ fault_id: id, at: nowMs, plan: JSON.stringify(plan) })
        .onConflict((conflict) => conflict.column("fault_id").doNothing())
        .execute();
      const kept = trx
        .selectFrom("hardware_plans")
        .select("seq")
        .orderBy("seq", "desc")
        .limit(plansMax);
      await trx.deleteFrom("hardware_plans").where("seq", "not in", kept).execute();
    });
  }

  async of(ids: readonly string[]): Promise<ReadonlyMap<string, FaultPlan>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("hardware_plans")
      .select(["fault_id", "plan"])
      .where("fault_id", "in", ids.slice(0, plansMax))
      .execute();
    return new Map(
      rows.flatMap(({ fault_id: id, plan }) => {
        const read = asFaultPlan(JSON.parse(plan) as object);
        return read === undefined ? [] : [[id, read] as const];
      }),
    );
  }
}
