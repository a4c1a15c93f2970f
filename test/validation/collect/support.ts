import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createLogger } from "../../../src/platform/log/index.ts";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import type { RunIntent, RunResult } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";

export const clock = createRealClock();
export const silent = createLogger({
  level: "silent",
  format: "json",
  stream: { write: () => undefined },
  clock,
});

export const plannedAtMs = Date.UTC(2026, 10, 1, 12, 0, 0, 250);

export function intentOf(change: Partial<RunIntent> = {}): RunIntent {
  return {
    id: "0123456789abcdef0123",
    cluster: "lab",
    node: "node-7",
    check: "host-compute",
    plannedAtMs,
    jobName: "tsr-host-compute-node-7-0123456789",
    purpose: "routine",
    reason: "never tested",
    policy: "stale",
    sku: "host",
    rack: "",
    fileSystem: "",
    gpus: 0,
    gpuHours: 0,
    provenance: "measured",
    ...change,
  };
}

export function resultFor(intent: RunIntent, change: Partial<RunResult> = {}): RunResult {
  return {
    runId: intent.id,
    outcome: "completed",
    startedAtMs: intent.plannedAtMs + 1_000,
    endedAtMs: intent.plannedAtMs + 5_000,
    figures: { gflops: { samples: [40.5, 41.25], higherIsBetter: true, unit: "GFLOP/s" } },
    hardFacts: [],
    cohort: "some processor",
    facts: { node: "v20", nested: { list: [1, null, "x"] } },
    ...change,
  };
}

/** A new store, closed when the test ends. */
export async function newStore(): Promise<Store> {
  const url = `sqlite:${join(await tempDir(), "store.db")}`;
  const store = await openStore({ url, clock, log: silent });
  onTestFinished(() => store.close());
  return store;
}

/** A history with one open run. */
export async function historyWith(intent: RunIntent, store: Store) {
  const history = openHistory(store);
  const gate = { cluster: intent.cluster, fence: 1, inFlightMax: 1000 };
  const { refused } = await history.planRuns(gate, [intent]);
  if (refused.length > 0) throw new Error(`not planned: ${refused[0]?.why}`);
  return history;
}
