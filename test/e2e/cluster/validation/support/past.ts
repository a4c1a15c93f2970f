import { join } from "node:path";
import { openStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { jobNameOf, runIdOf } from "../../../../../src/validation/batch/index.ts";
import { type History, openHistory } from "../../../../../src/validation/history/index.ts";

const clock = createRealClock();
const dayMs = 86_400_000;

/** A run that completed so many days ago. */
export interface PastRun {
  readonly node: string;
  readonly check: string;
  readonly daysAgo: number;
  /** @default "simulated" */
  readonly sku?: string;
  /** Why it was made. @default "never tested" */
  readonly reason?: string;
}

/** A user's job that crashed on a node so many days ago. */
export interface PastCrash {
  readonly node: string;
  readonly daysAgo: number;
}

/** What every run of the past measured, about the same everywhere. */
export const pastFigure = "throughput";

/** Writes a past into the store of a data folder. */
export function seedHistory(
  dataDir: string,
  cluster: string,
  past: readonly PastRun[],
): Promise<void> {
  return withHistory(dataDir, async (history) => {
    const nowMs = clock.nowMs();
    await history.recordRuns(past.map((run) => entryOf(run, { cluster, nowMs })));
  });
}

/** Writes crashes into the store of a data folder. */
export function seedCrashes(
  dataDir: string,
  cluster: string,
  crashes: readonly PastCrash[],
): Promise<void> {
  return withHistory(dataDir, async (history) => {
    const nowMs = clock.nowMs();
    await history.recordNodeEvents(
      crashes.map(({ node, daysAgo }, index) => ({
        cluster,
        node,
        atMs: nowMs - daysAgo * dayMs,
        kind: "crash",
        details: { job: `train-${index}` },
      })),
    );
  });
}

async function withHistory(
  dataDir: string,
  work: (history: History) => Promise<void>,
): Promise<void> {
  const store = await openStore({ url: `sqlite:${join(dataDir, "tessera.db")}`, clock });
  try {
    await work(openHistory(store));
  } finally {
    await store.close();
  }
}

function entryOf(
  { node, check, daysAgo, sku = "simulated", reason = "never tested" }: PastRun,
  at: { readonly cluster: string; readonly nowMs: number },
): Parameters<History["recordRuns"]>[0][number] {
  const { cluster, nowMs } = at;
  const plannedAtMs = nowMs - daysAgo * dayMs;
  const id = runIdOf({ cluster, node, check, plannedAtMs });
  return {
    intent: {
      ...{ id, cluster, node, check, plannedAtMs },
      jobName: jobNameOf({ id, check, node }),
      purpose: "routine",
      reason,
      policy: "stale",
      sku,
      rack: "",
      fileSystem: "",
      gpus: 8,
      gpuHours: 0.1,
      provenance: "measured",
    },
    result: {
      runId: id,
      outcome: "completed",
      endedAtMs: plannedAtMs,
      figures: {
        [pastFigure]: { samples: pastSamples(node), higherIsBetter: true, unit: "GB/s" },
      },
      hardFacts: [],
      facts: {},
    },
    origin: "pod",
    verdict: {
      runId: id,
      atMs: plannedAtMs,
      verdict: "pass",
      reason: "within bounds",
      findings: [],
    },
  };
}

/** What a node measured, by its number. */
export function pastSamples(node: string): readonly number[] {
  const offset = Number(node.replace(/\D+/, "")) / 100;
  return Array.from({ length: 20 }, (_, index) => 100 + ((index * 7 + offset) % 10) / 10);
}
