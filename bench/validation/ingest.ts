import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { type History, openHistory } from "../../src/validation/history/index.ts";
import type { RunIntent } from "../../src/validation/run.ts";
import { postgresMissing, startPostgres } from "../../test/support/postgres.ts";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";
import { sampleIntent, sampleResult } from "./sample-runs.ts";

const clock = createRealClock();
const callers = 256;
const resultsPerSecondMin = 2000;
const runsPerImport = 1000;
const digest = "ab".repeat(32);

export const bench: Bench = {
  name: "validation/ingest",
  description:
    "Results of open runs recorded one by one by many callers, each durable when its call returns; and whole runs imported.",
  run: async (context) => {
    const results = context.quick ? 2000 : 100_000;
    const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
    try {
      const url = `sqlite:${join(folder, "bench.db")}`;
      const sqlite = await measure("SQLite", { url, results }, context);
      const missing = postgresMissing();
      const promise = context.quick ? {} : { limit: resultsPerSecondMin };
      return {
        metrics: [
          ...sqlite.map((each, index) => (index === 0 ? { ...each, ...promise } : each)),
          ...(missing === undefined
            ? await measurePostgres(Math.min(results, 20_000), context)
            : []),
        ],
        notes: [
          ...(missing === undefined ? [] : [`PostgreSQL not measured: ${missing}`]),
          `${results} results by ${callers} callers; each result has 3 figures of 32 samples, and arrives as JSON of about 2 KB.`,
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measurePostgres(
  results: number,
  context: BenchContext,
): Promise<readonly BenchMetric[]> {
  const server = await startPostgres();
  try {
    return await measure("PostgreSQL", { url: await server.createDatabase(), results }, context);
  } finally {
    await server.stop();
  }
}

async function measure(
  name: string,
  options: { readonly url: string; readonly results: number },
  { log }: BenchContext,
): Promise<readonly BenchMetric[]> {
  const { url, results } = options;
  const store = await openStore({ url, clock });
  try {
    const history = openHistory(store);
    const intents = Array.from({ length: results }, (_, node) => sampleIntent(node, "dl-unit", 0));
    log(`${name}: ${results} runs planned`);
    const planned = await rate(results, () => plan(history, intents));
    log(`${name}: ${results} results by ${callers} callers`);
    const recorded = await rate(results, () => recordAll(history, intents));
    const open = await history.openRuns("bench");
    if (open.length > 0) throw new Error(`${open.length} results were lost`);
    log(`${name}: ${results} runs imported`);
    const imported = await rate(results, () => importAll(history, results));
    return [
      metric(`${name} results recorded`, recorded),
      metric(`${name} runs planned`, planned),
      metric(`${name} runs imported`, imported),
    ];
  } finally {
    await store.close();
  }
}

async function plan(history: History, intents: readonly RunIntent[]): Promise<void> {
  const gate = { cluster: "bench", fence: 1, inFlightMax: intents.length };
  for (let start = 0; start < intents.length; start += runsPerImport) {
    const part = intents.slice(start, start + runsPerImport);
    const { planned } = await history.planRuns(gate, part);
    if (planned.length < part.length) throw new Error("nothing was in the way");
  }
}

async function recordAll(history: History, intents: readonly RunIntent[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let intent = intents[next++]; intent !== undefined; intent = intents[next++]) {
        const from = { origin: "pod", way: "post", atMs: intent.plannedAtMs, digest } as const;
        const answer = await history.recordResult(sampleResult(intent), from);
        if (answer !== "recorded") throw new Error(`${intent.id}: ${answer}`);
      }
    }),
  );
}

async function importAll(history: History, count: number): Promise<void> {
  for (let start = 0; start < count; start += runsPerImport) {
    const runs = Array.from({ length: Math.min(runsPerImport, count - start) }, (_, index) => {
      const intent = sampleIntent(start + index, "dl-unit", 1);
      return { intent, result: sampleResult(intent), origin: "pod" as const };
    });
    await history.recordRuns(runs);
  }
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const startMs = clock.monotonicMs();
  await work();
  return (count * 1000) / (clock.monotonicMs() - startMs);
}

function metric(name: string, value: number): BenchMetric {
  return { name, value, unit: "/s", provenance: "measured", better: "higher" };
}
