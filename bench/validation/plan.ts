import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import {
  getDbLatestStatus,
  type History,
  openHistory,
} from "../../src/validation/history/index.ts";
import { buildPriorityQueue } from "../../src/validation/prioritize/index.ts";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { checks, nodeName, sampleIntent, sampleResult } from "./sample-runs.ts";

const clock = createRealClock();
const totalMsMax = 200;
const ratioMax = 2;
const staleAfterDays = 7;
const nodesPerImport = 500;

// The rows that the look-up reads, without anything of ours around them.
const bareQuery =
  "select node, check_name, completed_at from latest_runs where cluster = 'bench' and completed_at is not null";
const seedQuery = `select "Node", "Test Name", "Timestamp", "Result" from latest_status`;
const wholeQuery = `select i.node, i.check_name, max(r.ended_at) as at from run_intents i
  join run_results r on r.run_id = i.id and r.outcome = 'completed' group by i.node, i.check_name`;

export const bench: Bench = {
  name: "validation/plan",
  description:
    "The queue of a whole fleet from its history on SQLite (getDbLatestStatus, buildPriorityQueue), against the bare SQL query of the same rows.",
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
    try {
      return await measure(join(folder, "bench.db"), context);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(path: string, { log, quick }: BenchContext) {
  const size = quick
    ? { nodes: 500, rounds: 2, times: 5 }
    : { nodes: 10_000, rounds: 8, times: 41 };
  const store = await openStore({ url: `sqlite:${path}`, clock });
  const bare = openBare(path);
  try {
    const history = openHistory(store);
    log(`${size.nodes} nodes x ${checks.length} checks x ${size.rounds} runs`);
    await fill(history, size);
    const nodes = Array.from({ length: size.nodes }, (_, index) => nodeName(index));
    const plan = async () => {
      const latest = await getDbLatestStatus(history, "bench", checks, clock.nowMs());
      const queue = buildPriorityQueue(nodes, latest, staleAfterDays);
      if (queue.length !== size.nodes * checks.length) throw new Error("every pair is due");
    };
    const query = async () => {
      const rows = bare.all(bareQuery);
      if (rows.length !== size.nodes * checks.length) throw new Error("every pair was tested");
    };
    // In turn, so that both meet the same machine.
    const taken = { plan: [] as number[], query: [] as number[] };
    for (let turn = 0; turn < size.times; turn += 1) {
      taken.query.push(await timeMs(query));
      taken.plan.push(await timeMs(plan));
    }
    const planMs = median(taken.plan);
    const queryMs = median(taken.query);
    const promises = quick ? {} : { limit: ratioMax };
    return {
      metrics: [
        metric("planned from history", planMs, "ms", { limit: totalMsMax }),
        metric("bare query of the same rows", queryMs, "ms"),
        metric("planned to bare query", planMs / queryMs, "x", promises),
        metric("planned from history, worst", Math.max(...taken.plan), "ms"),
        metric("bare query of the seed's view", await timeMs(() => bare.all(seedQuery)), "ms"),
        metric("bare query over all runs", await timeMs(() => bare.all(wholeQuery)), "ms"),
      ],
      notes: [
        `${size.nodes * checks.length * size.rounds} runs of ${size.nodes} nodes x ${checks.length} checks; every pair is due, so the queue has all of them.`,
        "Bare: libsql alone, on the thread that asks. Ours reads on a thread of its own and returns a sorted queue with reasons. Medians; the last two were asked once.",
      ],
    };
  } finally {
    bare.close();
    await store.close();
  }
}

async function fill(
  history: History,
  size: { readonly nodes: number; readonly rounds: number },
): Promise<void> {
  for (let round = 0; round < size.rounds; round += 1) {
    for (let first = 0; first < size.nodes; first += nodesPerImport) {
      const runs = Array.from({ length: nodesPerImport }, (_, index) =>
        checks.map((check) => {
          const intent = sampleIntent(first + index, check, round);
          const verdict = { runId: intent.id, atMs: 1, verdict: "pass", findings: [] } as const;
          const judged = { verdict: { ...verdict, reason: "within its band" } };
          return { intent, result: sampleResult(intent), origin: "pod" as const, ...judged };
        }),
      ).flat();
      await history.recordRuns(runs);
    }
  }
}

function openBare(path: string) {
  const Database = createRequire(import.meta.url)("libsql") as new (
    path: string,
  ) => {
    prepare(sql: string): { all(parameters: readonly unknown[]): readonly unknown[] };
    close(): void;
  };
  const database = new Database(path);
  return {
    all: (sql: string) => database.prepare(sql).all([]),
    close: () => database.close(),
  };
}

async function timeMs(work: () => unknown): Promise<number> {
  const startMs = clock.monotonicMs();
  await work();
  return clock.monotonicMs() - startMs;
}

function metric(
  name: string,
  value: number,
  unit: string,
  promise: { readonly limit?: number } = {},
): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "lower", ...promise };
}
