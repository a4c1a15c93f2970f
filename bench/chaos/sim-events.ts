import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import { runProcess } from "../../src/platform/process/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench, BenchContext, BenchMetric } from "../bench.ts";
import { buildProgram } from "../lib/build-program.ts";
import { findSimPy } from "./simpy-peer.ts";

const clock = createRealClock();
const mebibyte = 2 ** 20;
const ranks = 1024;
const eventsPerSecondMin = 2e6;
const simPyRatioMin = 20;
/** Of what is held after the second month, at the end of the year. */
const growthMax = 1.05;

interface Run {
  readonly events: number;
  readonly tookMs: number;
  readonly cpuMs: number;
}

export const bench: Bench = {
  name: "chaos/sim-events",
  description:
    "Events a second of the simulator with 1,024 ranks that compute, meet by groups over the network and time out, against the same model in SimPy; and the memory of a simulated year.",
  run: async (context) => {
    const folder = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
    try {
      const program = join(folder, "sim.mjs");
      await buildProgram(join(import.meta.dirname, "sim-program.ts"), program);
      const speed = await measureSpeed(program, context);
      const year = await measureYear(program, context);
      return { metrics: [...speed.metrics, ...year], notes: speed.notes };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measureSpeed(program: string, { log, quick }: BenchContext) {
  const [steps, rounds, simPySteps] = quick ? [50, 1, 5] : [2000, 3, 100];
  log(`${ranks} ranks, ${steps} steps`);
  const own = (await answerOf([program, "events", `${ranks}`, `${steps}`, `${rounds}`])) as Run;
  const perSecond = (1000 * own.events) / own.cpuMs;
  const limit = (value: number) => (quick ? {} : { limit: value });
  const metrics: BenchMetric[] = [
    {
      ...higher("events a second of processor time", perSecond, "1/s"),
      ...limit(eventsPerSecondMin),
    },
    higher("events a second", (1000 * own.events) / own.tookMs, "1/s"),
  ];
  const notes = [
    `${own.events} events; the fastest of ${rounds} rounds with the same trace`,
    "an event of SimPy's is one of the model (computed, arrived, released), not one of its queue",
  ];
  const simPy = await findSimPy();
  if (typeof simPy === "string")
    return { metrics, notes: [...notes, `SimPy not measured: ${simPy}`] };
  log(`SimPy, ${simPySteps} steps`);
  const peer = await simPy.run(ranks, simPySteps);
  const peerPerSecond = ((own.events / steps) * simPySteps * 1000) / peer.cpuMs;
  metrics.push(higher("events a second of processor time in SimPy", peerPerSecond, "1/s"), {
    ...higher("times as fast as SimPy", perSecond / peerPerSecond, "x"),
    ...limit(simPyRatioMin),
  });
  return { metrics, notes: [...notes, `SimPy ${simPy.version}, ${simPySteps} steps`] };
}

async function measureYear(
  program: string,
  { log, quick }: BenchContext,
): Promise<readonly BenchMetric[]> {
  const size = quick ? 16 : 64;
  log(`a year of ${size} ranks`);
  const year = (await answerOf(["--expose-gc", program, "year", String(size)])) as {
    readonly events: number;
    readonly heldBytes: readonly number[];
  };
  const early = year.heldBytes[1] ?? Number.NaN;
  const late = year.heldBytes.at(-1) ?? Number.NaN;
  return [
    higher("events of a simulated year", year.events, ""),
    { ...lower("memory held after a year", late / mebibyte, "MiB") },
    {
      ...lower("memory after a year to that after two months", late / early, "x"),
      ...(quick ? {} : { limit: growthMax }),
    },
  ];
}

async function answerOf(args: readonly string[]): Promise<unknown> {
  const done = await runProcess(process.execPath, args, { clock, timeoutMs: 600_000 });
  assert.equal(done.exitCode, 0, done.stderr);
  return JSON.parse(done.stdout);
}

function higher(name: string, value: number, unit: string): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "higher" };
}

function lower(name: string, value: number, unit: string): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "lower" };
}
