import assert from "node:assert/strict";
import { join } from "node:path";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";
import { type MeasuredProgram, withProgram } from "../lib/with-program.ts";
import { findSimPy, type PeerRun, type Waiting } from "./simpy-peer.ts";

const ranks = 1024;
const eventsPerSecondMin = 2e6;
const simPyRatioMin = 20;
/** Rounds of each simulator, by turns: whatever else the machine does meets all of them alike. */
const turns = 8;
/** Rounds of ours before the one that is measured: its compiler has to see what is done often. */
const warmRounds = 12;
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
    return withProgram(join(import.meta.dirname, "sim-program.ts"), async (program) => {
      const own = await measureOwn(program, context);
      const beside = await measureBeside(program, context);
      return {
        metrics: [...own.metrics, ...beside.metrics],
        notes: [...own.notes, ...beside.notes],
      };
    });
  },
};

async function measureOwn(program: MeasuredProgram, { log, quick }: BenchContext) {
  const [steps, rounds] = quick ? [5, 1] : [600, 4];
  log(`${ranks} ranks, ${steps} steps`);
  const own = (await program.run(["events", `${ranks}`, `${steps}`, `${rounds}`])) as Run;
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

/** The same job in both simulators, by turns, the fastest round of each: processor time against processor time. */
async function measureBeside(
  program: MeasuredProgram,
  { log, quick }: BenchContext,
): Promise<{ readonly metrics: readonly BenchMetric[]; readonly notes: readonly string[] }> {
  const simPy = await findSimPy();
  if (typeof simPy === "string") return { metrics: [], notes: [`SimPy not measured: ${simPy}`] };
  const [steps, rounds, warm] = quick ? [5, 1, 0] : [60, turns, warmRounds];
  const size = [`${ranks}`, `${steps}`];
  const counted = (await program.run(["count", ...size, program.folder])) as Counted;
  log(`SimPy and Tessera by turns, ${steps} steps, ${rounds} rounds of each`);
  const usual: PeerRun[] = [];
  const tuned: PeerRun[] = [];
  const owns: Run[] = [];
  for (let round = 0; round < rounds; round++) {
    usual.push(await simPy.run(program.folder, "usual"));
    tuned.push(await simPy.run(program.folder, "tuned"));
    owns.push((await program.run(["events", ...size, "1", `${warm}`])) as Run);
  }
  const own = fastestOf(owns);
  const peers = { usual: fastestOf(usual), tuned: fastestOf(tuned) };
  assertSameJob(peers, counted);
  const times = (waiting: Waiting) => peers[waiting].cpuMs / own.cpuMs;
  const perSecond = (1000 * totalOf(peers.tuned)) / peers.tuned.cpuMs;
  return {
    metrics: [
      {
        ...higher("times as fast as SimPy with the same events", times("tuned"), "x"),
        ...(quick ? {} : { limit: simPyRatioMin }),
      },
      higher("times as fast as SimPy with a timeout beside each wait", times("usual"), "x"),
      higher("events a second of processor time in SimPy", perSecond, "1/s"),
    ],
    notes: [
      `SimPy ${simPy.version}: ${steps} steps end at the same microsecond (${counted.endUs}), after as many events of each kind; the fastest of ${rounds} rounds of each simulator, by turns`,
      "with the same events SimPy has one timer for each rank that looks back, as Tessera has; a timeout beside each wait is the plain way to write it",
    ],
  };
}

function fastestOf<One extends { readonly cpuMs: number }>(runs: readonly One[]): One {
  return runs.reduce((best, run) => (run.cpuMs < best.cpuMs ? run : best));
}

/** Both ways to wait must come to the same end by the same events. */
function assertSameJob(peers: Readonly<Record<Waiting, PeerRun>>, counted: Counted): void {
  const own = eventsOf(counted);
  assert.deepEqual(eventsOf(peers.tuned), own, "the same events in SimPy");
  const { [watchKind]: _, ...others } = own;
  assert.deepEqual(eventsOf(peers.usual), others, "the same events in SimPy, without timers");
  assert.equal(peers.tuned.endUs, counted.endUs, "the same end in SimPy");
  assert.equal(peers.usual.endUs, counted.endUs, "the same end in SimPy");
}

/** Without what is written down for people. */
function eventsOf({ counts }: Counted): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([kind]) => !kind.startsWith("job.")));
}

function totalOf({ counts }: Counted): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function higher(name: string, value: number, unit: string): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "higher" };
}
