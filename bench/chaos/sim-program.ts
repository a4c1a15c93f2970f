// A process of its own that runs the barrier job and says what that took:
//   node PROGRAM events RANKS STEPS ROUNDS    node --expose-gc PROGRAM year RANKS
import assert from "node:assert/strict";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { createBarrierJob, eventsPerRankStep } from "./barrier-job.ts";

const clock = createRealClock();
const [what = "", ...numbers] = process.argv.slice(2);
const report = what === "year" ? aYear(Number(numbers[0])) : fastest(numbers.map(Number));
process.stdout.write(`${JSON.stringify(report)}\n`);

/** The fastest of some rounds, each with the same trace. */
function fastest([ranks = 0, steps = 0, rounds = 0]: readonly number[]) {
  const tries = Array.from({ length: rounds }, () => {
    const engine = createBarrierJob({ ranks, steps, computeUs: 100_000, seed: "bench" });
    const startMs = clock.monotonicMs();
    const startCpuUs = cpuUs();
    assert.equal(engine.run(Infinity), "quiet");
    const tookMs = clock.monotonicMs() - startMs;
    assert.equal(engine.processed, ranks * steps * eventsPerRankStep);
    return { tookMs, cpuMs: (cpuUs() - startCpuUs) / 1000, trace: engine.traceHash() };
  });
  assert.equal(new Set(tries.map(({ trace }) => trace)).size, 1, "one seed, one trace");
  return {
    events: ranks * steps * eventsPerRankStep,
    tookMs: Math.min(...tries.map(({ tookMs }) => tookMs)),
    cpuMs: Math.min(...tries.map(({ cpuMs }) => cpuMs)),
    trace: tries[0]?.trace,
  };
}

/** A year in steps of five minutes; what is held at the end of each month. */
function aYear(ranks: number) {
  const stepUs = 300_000_000;
  const monthUs = 30 * 86_400_000_000;
  const engine = createBarrierJob({ ranks, steps: 2 ** 30, computeUs: stepUs, seed: "year" });
  const heldBytes = Array.from({ length: 12 }, (_, month) => {
    assert.equal(engine.run((month + 1) * monthUs), "limit");
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  });
  return { events: engine.processed, heldBytes };
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
