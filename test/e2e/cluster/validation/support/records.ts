import { join } from "node:path";
import { createLogger } from "../../../../../src/platform/log/index.ts";
import { openExistingStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { openHistory } from "../../../../../src/validation/history/index.ts";
import type { HandInWay, RunRecord } from "../../../../../src/validation/run.ts";

const clock = createRealClock();

/** A run as the store has it. */
export interface StoredRun extends RunRecord {
  /** By which ways its result was handed in, with the SHA-256 of what came. */
  readonly handIns: readonly { readonly way: HandInWay; readonly digest: string }[];
  /** How many results are on record, the loop's own included. */
  readonly results: number;
}

/** The runs of one cluster in the store of a data folder, oldest first. */
export async function storedRuns(dataDir: string, cluster: string): Promise<readonly StoredRun[]> {
  const log = createLogger({ level: "error", format: "json", clock, stream: process.stderr });
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const store = await openExistingStore({ url, clock, log });
  try {
    const records = await openHistory(store).runs({ cluster, limit: 1_000 });
    const handIns = await store.db.selectFrom("run_hand_ins").selectAll().execute();
    const results = await store.db.selectFrom("run_results").select("run_id").execute();
    return records
      .map((record) => ({
        ...record,
        handIns: handIns
          .filter(({ run_id: id }) => id === record.intent.id)
          .map(({ way, digest }) => ({ way, digest })),
        results: results.filter(({ run_id: id }) => id === record.intent.id).length,
      }))
      .toSorted((a, b) => a.intent.plannedAtMs - b.intent.plannedAtMs);
  } finally {
    await store.close();
  }
}
