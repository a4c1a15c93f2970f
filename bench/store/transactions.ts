import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { measureDiskSync } from "../../src/platform/store/disk-sync.ts";
import { auditLog, openStore, type Store, tokens } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { postgresMissing, startPostgres } from "../../test/support/postgres.ts";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";

const clock = createRealClock();
const callers = 256;
const promised = "SQLite transactions";
const transactionsPerSecondMin = 2000;
// About as much as one result of a check.
const entry = {
  atMs: 1,
  actor: "bench",
  action: "result",
  subject: "node-1",
  details: { text: "x".repeat(200) },
};
const token = {
  id: "t",
  name: "bench",
  role: "read",
  hash: "ab".repeat(32),
  createdAtMs: 1,
} as const;

interface Sizes {
  readonly warmUp: number;
  readonly transactions: number;
  readonly alone: number;
  readonly reads: number;
}

export const bench: Bench = {
  name: "store/transactions",
  description:
    "Durable transactions of one result each, by many callers and by one, beside the disk's own fsync rate; and reads while the writer is saturated, against reads while it is idle.",
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
    try {
      const sqlite = await measureSqlite(folder, context);
      const postgres = await measurePostgres(context);
      return {
        metrics: [...sqlite.metrics, ...postgres.metrics],
        notes: [...sqlite.notes, ...postgres.notes, `${callers} callers unless said otherwise`],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  readonly metrics: readonly BenchMetric[];
  readonly notes: readonly string[];
}

async function measureSqlite(folder: string, context: BenchContext): Promise<Measured> {
  const store = await openStore({ url: `sqlite:${join(folder, "bench.db")}`, clock });
  try {
    const sync = { clock, samplesMax: context.quick ? 50 : 2000, budgetMs: 3000 };
    const before = await measureDiskSync(folder, sync);
    const speeds = await measureStore("SQLite", store, context);
    const after = await measureDiskSync(folder, sync);
    const syncRate = (before.perSecond + after.perSecond) / 2;
    // A quick run is too short for the compiler to have done its work.
    const limit = context.quick ? {} : { limit: transactionsPerSecondMin };
    const perSecond = (name: string) => speeds.find((metric) => metric.name === name)?.value ?? 0;
    return {
      metrics: [
        ...speeds.map((metric) => (metric.name === promised ? { ...metric, ...limit } : metric)),
        metricOf("disk fsync", syncRate, { unit: "/s", better: "higher" }),
        ratio("SQLite transactions to fsyncs", perSecond(promised) / syncRate),
        ratio(
          "SQLite transactions of one caller to fsyncs",
          perSecond("SQLite transactions of one caller") / syncRate,
        ),
      ],
      notes: [
        `${store.facts.engine}, ${store.facts.journalMode} journal on ${store.facts.fileSystem}`,
      ],
    };
  } finally {
    await store.close();
  }
}

async function measurePostgres(context: BenchContext): Promise<Measured> {
  const missing = postgresMissing();
  if (missing !== undefined) return { metrics: [], notes: [`PostgreSQL not measured: ${missing}`] };
  const server = await startPostgres();
  try {
    const store = await openStore({ url: await server.createDatabase(), clock });
    try {
      const metrics = await measureStore("PostgreSQL", store, context);
      return { metrics, notes: [`${store.facts.engine} over a local socket`] };
    } finally {
      await store.close();
    }
  } finally {
    await server.stop();
  }
}

async function measureStore(
  name: string,
  store: Store,
  { log, quick }: BenchContext,
): Promise<readonly BenchMetric[]> {
  const sizes: Sizes = quick
    ? { warmUp: 100, transactions: 1000, alone: 100, reads: 100 }
    : { warmUp: 4000, transactions: 20_000, alone: 2000, reads: 2000 };
  const transact = () => store.transaction((trx) => auditLog.append(trx, entry));
  const insert = () => auditLog.append(store.db, entry);
  const read = () => tokens.findByHash(store.db, token.hash);
  await tokens.add(store.db, token);
  await rate(sizes.warmUp, callers, transact);
  await latencies(sizes.reads, read);

  log(`${name}: ${sizes.transactions} transactions by ${callers} callers, ${sizes.alone} by one`);
  const transactions = await rate(sizes.transactions, callers, transact);
  const statements = await rate(sizes.transactions, callers, insert);
  const alone = await rate(sizes.alone, 1, transact);
  log(`${name}: ${sizes.reads} reads, idle and beside a saturated writer`);
  const idle = await latencies(sizes.reads, read);
  const busy = await besideWriter(transact, () => latencies(sizes.reads, read));

  const higher = { unit: "/s", better: "higher" } as const;
  const lower = { unit: "ms", better: "lower" } as const;
  return [
    metricOf(`${name} transactions`, transactions, higher),
    metricOf(`${name} single statements`, statements, higher),
    metricOf(`${name} transactions of one caller`, alone, higher),
    metricOf(`${name} read p50, idle`, percentile(idle, 0.5), lower),
    metricOf(`${name} read p99, idle`, percentile(idle, 0.99), lower),
    metricOf(`${name} read p50, writer saturated`, percentile(busy.value, 0.5), lower),
    metricOf(`${name} read p99, writer saturated`, percentile(busy.value, 0.99), lower),
    metricOf(`${name} event loop delay p99, writer saturated`, busy.loopDelayMs, lower),
  ];
}

/** How often a second `work` completes when so many callers each do it again and again. */
async function rate(
  total: number,
  callersMax: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let left = total;
  const startMs = clock.monotonicMs();
  await Promise.all(
    Array.from({ length: callersMax }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (total * 1000) / (clock.monotonicMs() - startMs);
}

/** How long each of `count` calls took, one after the other, in milliseconds. */
async function latencies(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const takenMs: number[] = [];
  for (let index = 0; index < count; index++) {
    const startMs = clock.monotonicMs();
    await work();
    takenMs.push(clock.monotonicMs() - startMs);
  }
  return takenMs;
}

/** Does something while all callers write, and watches how long the event loop is held up. */
async function besideWriter<T>(
  write: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly loopDelayMs: number }> {
  const state = { stop: false };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const writing = Array.from({ length: callers }, async () => {
    while (!state.stop) await write();
  });
  delay.enable();
  const value = await work();
  delay.disable();
  state.stop = true;
  await Promise.all(writing);
  return { value, loopDelayMs: delay.percentile(99) / 1e6 };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ratio(name: string, value: number): BenchMetric {
  return metricOf(name, value, { unit: "x", better: "higher" });
}

function metricOf(
  name: string,
  value: number,
  kind: Pick<BenchMetric, "unit" | "better">,
): BenchMetric {
  return { name, value, ...kind, provenance: "measured" };
}
