import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import { runProcess } from "../../src/platform/process/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";
import { buildProgram } from "../lib/build-program.ts";
import { findSimPy, type PeerRun, type SimPyPeer, type Waiting } from "./simpy-peer.ts";

const clock = createRealClock();
const ranks = 1024;
const eventsPerSecondMin = 2e6;
const simPyRatioMin = 20;
/** Of timers that watch over waits there are as many as there are ways to watch. */
const watchKind = "exchange.watch";

interface Run {
  readonly entries: number;
  readonly tookMs: number;
  readonly cpuMs: number;
}

type Counted = Pick<PeerRun, "endUs" | "counts">;

export const bench: Bench = {
  name: "chaos/sim-events",
  description:
    "Events a second of a simulated training job of 1,024 ranks, its steps only counted: coordinator, workers, exchanges, messages, heartbeats and timeouts are those of every experiment; against the same model in SimPy.",
  run: async (context) => {
    const folder = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
    try {
      const program = join(folder, "sim.mjs");
      await buildProgram(join(import.meta.dirname, "sim-program.ts"), program);
      const own = await measureOwn(program, context);
      const beside = await measureBeside({ program, folder }, context);
      return {
        metrics: [...own.metrics, ...beside.metrics],
        notes: [...own.notes, ...beside.notes],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measureOwn(program: string, { log, quick }: BenchContext) {
  const [steps, rounds] = quick ? [5, 1] : [600, 4];
  log(`${ranks} ranks, ${steps} steps`);
  const own = (await answerOf([program, "events", `${ranks}`, `${steps}`, `${rounds}`])) as Run;
  const metrics: BenchMetric[] = [
    {
      ...higher("events a second of processor time", (1000 * own.entries) / own.cpuMs, "1/s"),
      ...(quick ? {} : { limit: eventsPerSecondMin }),
    },
    higher("events a second", (1000 * own.entries) / own.tookMs, "1/s"),
  ];
  const notes = [`${own.entries} events; the fastest of ${rounds} rounds with the same trace`];
  return { metrics, notes };
}

/** The same job in both simulators, one after the other: processor time against processor time. */
async function measureBeside(
  { program, folder }: { readonly program: string; readonly folder: string },
  { log, quick }: BenchContext,
): Promise<{ readonly metrics: readonly BenchMetric[]; readonly notes: readonly string[] }> {
  const simPy = await findSimPy();
  if (typeof simPy === "string") return { metrics: [], notes: [`SimPy not measured: ${simPy}`] };
  const [steps, rounds] = quick ? [5, 1] : [60, 12];
  const size = [`${ranks}`, `${steps}`];
  const counted = (await answerOf([program, "count", ...size, folder])) as Counted;
  log(`SimPy, ${steps} steps`);
  const peers = await runPeers(simPy, folder, counted);
  const own = (await answerOf([program, "events", ...size, `${rounds}`])) as Run;
  const times = (waiting: Waiting) => peers[waiting].cpuMs / own.cpuMs;
  const perSecond = (1000 * totalOf(peers.tuned)) / peers.tuned.cpuMs;
  return {
    metrics: [
      {
        ...higher("times as fast as SimPy, which waits as its guide says", times("usual"), "x"),
        ...(quick ? {} : { limit: simPyRatioMin }),
      },
      higher("times as fast as SimPy, tuned to the same events", times("tuned"), "x"),
      higher("events a second of processor time in SimPy, tuned", perSecond, "1/s"),
    ],
    notes: [
      `SimPy ${simPy.version}: ${steps} steps end at the same microsecond (${counted.endUs}), after as many events of each kind`,
      "its guide puts a timeout beside each wait; tuned, it has one timer for each rank that looks back, as Tessera has",
    ],
  };
}

/** Both ways to wait; each must come to the same end by the same events. */
async function runPeers(
  simPy: SimPyPeer,
  folder: string,
  counted: Counted,
): Promise<Readonly<Record<Waiting, PeerRun>>> {
  const peers = {
    usual: await simPy.run(folder, "usual"),
    tuned: await simPy.run(folder, "tuned"),
  };
  const own = eventsOf(counted);
  assert.deepEqual(eventsOf(peers.tuned), own, "the same events in SimPy");
  const { [watchKind]: _, ...others } = own;
  assert.deepEqual(eventsOf(peers.usual), others, "the same events in SimPy, without timers");
  assert.equal(peers.tuned.endUs, counted.endUs, "the same end in SimPy");
  assert.equal(peers.usual.endUs, counted.endUs, "the same end in SimPy");
  return peers;
}

/** Without what is written down for people. */
function eventsOf({ counts }: Counted): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([kind]) => !kind.startsWith("job.")));
}

function totalOf({ counts }: Counted): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function answerOf(args: readonly string[]): Promise<unknown> {
  const done = await runProcess(process.execPath, args, { clock, timeoutMs: 600_000 });
  assert.equal(done.exitCode, 0, done.stderr);
  return JSON.parse(done.stdout);
}

function higher(name: string, value: number, unit: string): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "higher" };
}
