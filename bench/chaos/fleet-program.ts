// A process of its own that simulates a year of a large job and says what that took:
//   node --expose-gc PROGRAM NODES MONTHS
import assert from "node:assert/strict";
import { failureModels } from "../../src/chaos/failure-model/index.ts";
import { createFleetRun } from "../../src/chaos/sim/fleet/index.ts";
import { assemble, publishedJobs, withInputs } from "../../src/chaos/sim/fleet/study/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";

const clock = createRealClock();
const [nodes = 0, months = 0] = process.argv.slice(2).map(Number);
const monthUs = 30 * 86_400e6;
const scenario = withInputs(publishedJobs.llama3, { gpus: 8 * nodes, replicas: 1 });
const { job } = assemble(scenario);
const startMs = clock.monotonicMs();
const startUs = cpuUs();
const run = createFleetRun({
  model: failureModels.llama3,
  job,
  seed: "year",
  horizonUs: months * monthUs,
});
const heldBytes: number[] = [];
for (let month = 1; month <= months; month++) {
  const goesOn = run.runTo(month * monthUs);
  assert.equal(goesOn, month < months);
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  heldBytes.push(heapUsed + arrayBuffers);
}
const result = run.finish();
const report = {
  events: result.events,
  steps: result.steps,
  failures: result.failures,
  ettr: result.ettr,
  tookMs: clock.monotonicMs() - startMs,
  cpuMs: (cpuUs() - startUs) / 1000,
  heldBytes,
};
process.stdout.write(`${JSON.stringify(report)}\n`);

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
