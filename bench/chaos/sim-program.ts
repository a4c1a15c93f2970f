// A process of its own that simulates training jobs and says what that took:
//   node PROGRAM events RANKS STEPS ROUNDS [WARM]    node PROGRAM count RANKS STEPS FOLDER
//   node --expose-gc PROGRAM year RANKS
// WARM rounds come first and are not measured.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChaosPlan } from "../../src/chaos/plan/index.ts";
import type { JobEvent, RunRecord } from "../../src/chaos/record/index.ts";
import type { Trace, TraceWindow } from "../../src/chaos/sim/engine/index.ts";
import { createSimWorld } from "../../src/chaos/sim/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { peerModelOf } from "./peer-model.ts";
import { shortJob, timedJob } from "./timed-job.ts";

const clock = createRealClock();
const { signal } = new AbortController();
/** So many entries of a trace can be kept in full. */
const windowEntries = 2 ** 20;

const [what = "", first = "", second = "", third = "", fourth = "0"] = process.argv.slice(2);
const report = await answer();
process.stdout.write(`${JSON.stringify(report)}\n`);

function answer(): Promise<object> {
  if (what === "year") return aYear(Number(first));
  const plan = shortJob(Number(first), Number(second));
  return what === "count" ? count(plan, third) : fastest(plan, Number(third), Number(fourth));
}

/** The fastest of some rounds, each with the same trace, after others that let the compiler do its work. */
async function fastest(plan: ChaosPlan, rounds: number, warm: number) {
  for (let round = 0; round < warm; round++) await simulate(plan);
  const tries: { tookMs: number; cpuMs: number; trace: Trace; endUs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = clock.monotonicMs();
    const startCpuUs = cpuUs();
    const { trace, record } = await simulate(plan);
    const tookMs = clock.monotonicMs() - startMs;
    tries.push({ tookMs, cpuMs: (cpuUs() - startCpuUs) / 1000, trace, endUs: record.endUs });
  }
  assert.equal(new Set(tries.map(({ trace }) => trace.hash)).size, 1, "one seed, one trace");
  return {
    entries: tries[0]?.trace.entries,
    tookMs: Math.min(...tries.map(({ tookMs }) => tookMs)),
    cpuMs: Math.min(...tries.map(({ cpuMs }) => cpuMs)),
  };
}

/** How many events of each kind the job has, and when it ends; leaves what a peer needs to do the same. */
async function count(plan: ChaosPlan, folder: string) {
  const { trace, record } = await simulate(plan, { from: 0, entries: windowEntries });
  assert.equal(trace.window.length, trace.entries, "a job that is counted is a short one");
  const counts: Record<string, number> = {};
  for (const { name } of trace.window) counts[name] = (counts[name] ?? 0) + 1;
  const { model, draws } = peerModelOf(plan);
  writeFileSync(join(folder, "model.json"), JSON.stringify(model));
  writeFileSync(join(folder, "draws"), draws);
  return { endUs: record.endUs, counts };
}

/** A year in steps of half an hour, a save each day; what is held at the end of each month. */
async function aYear(ranks: number) {
  const monthUs = 30 * 86_400_000_000;
  const plan = timedJob({
    ranks,
    steps: 12 * 30 * 48 + 200,
    step: "30m",
    heartbeat: "4h",
    collective: "12h",
    saveEvery: 48,
  });
  const heldBytes: number[] = [];
  const recorded: number[] = [];
  let events = 0;
  const startMs = clock.monotonicMs();
  const startCpuUs = cpuUs();
  const { trace } = await simulate(plan, undefined, ({ atUs }) => {
    events++;
    if (atUs < (heldBytes.length + 1) * monthUs || heldBytes.length === 12) return;
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    heldBytes.push(heapUsed + arrayBuffers);
    recorded.push(events);
  });
  const tookMs = clock.monotonicMs() - startMs;
  const cpuMs = (cpuUs() - startCpuUs) / 1000;
  return { entries: trace.entries, tookMs, cpuMs, heldBytes, recorded };
}

async function simulate(
  plan: ChaosPlan,
  traceWindow?: TraceWindow,
  onEvent?: (event: JobEvent) => void,
): Promise<{ readonly trace: Trace; readonly record: RunRecord }> {
  let trace: Trace | undefined;
  const world = createSimWorld({ traceWindow, onTrace: (seen) => (trace = seen) });
  const record = await world.run(plan, { signal, ...(onEvent === undefined ? {} : { onEvent }) });
  assert.equal(record.end, "finished");
  assert(trace !== undefined, "a run has a trace");
  return { trace, record };
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
