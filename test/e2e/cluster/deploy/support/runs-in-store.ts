import { createLogger } from "../../../../../src/platform/log/index.ts";
import { openExistingStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { openHistory } from "../../../../../src/validation/history/index.ts";
import type { RunRecord } from "../../../../../src/validation/run.ts";

const clock = createRealClock();

/** A run, and how many results of it are on record. */
export interface CountedRun extends RunRecord {
  readonly results: number;
}

/** All runs of the chart's cluster that a store has, oldest first. */
export async function runsInStore(url: string): Promise<readonly CountedRun[]> {
  const log = createLogger({ level: "error", format: "json", clock, stream: process.stderr });
  const store = await openExistingStore({ url, clock, log });
  try {
    const records = await openHistory(store).runs({ cluster: "in-cluster", limit: 1_000 });
    const results = await store.db.selectFrom("run_results").select("run_id").execute();
    return records
      .map((record) => ({
        ...record,
        results: results.filter(({ run_id: id }) => id === record.intent.id).length,
      }))
      .toSorted((a, b) => a.intent.plannedAtMs - b.intent.plannedAtMs);
  } finally {
    await store.close();
  }
}
