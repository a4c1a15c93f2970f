// Guide 7.5: the five metrics to track, of a job that loses a GPU in the middle. Each is judged beside the same
// job without faults, and a gate on a metric fails the run. `tessera chaos run FILE --gate ...` does the same.
import { createSimWorld, parseExperiment, runExperiment } from "tessera-qa/chaos";
import { createRealClock } from "tessera-qa/platform";

const experiment = parseExperiment(
  `
title: Lose a GPU, and track what it costs
workload:
  kind: training
  preset: small
  mesh: { dp: 4 }
  steps: 96
  checkpoint: { every: 8 }
  policy: { onFailure: drainThenResume, restarts: 3 }
  pace: { compute: 250ms, save: 300ms, load: 500ms }
faults:
  - { fault: kill_device, target: { rank: 1 }, at: { step: 44 }, for: 2s }
expect:
  integrity: bitwise
  gates:
    - throughputStability >= 0.7
    - recoverySeconds <= 10
    - rollbackSuccessRate >= 1
    - memoryFragmentation <= 0.15
    - deadlocks <= 0
    - livelocks <= 0
`,
  "five-metrics.yaml",
);

const { judgement } = await runExperiment({
  experiment,
  world: createSimWorld(),
  clock: createRealClock(),
  signal: AbortSignal.timeout(60_000),
});

const { metrics } = judgement;
const rows = [
  ["throughput stability", metrics.throughputStability],
  ["failure recovery time, s", metrics.recoverySeconds],
  ["checkpoint rollback success rate", metrics.rollbackSuccessRate],
  ["memory fragmentation", metrics.memoryFragmentation],
  ["deadlock and livelock incidents", metrics.deadlocks + metrics.livelocks],
] as const;
for (const [name, value] of rows) {
  console.log(`${name.padEnd(34)} ${value?.toFixed(3) ?? "not measured"} (simulated)`);
}
console.log(`${judgement.outcome}: ${judgement.reason}`);
if (judgement.outcome !== "pass") throw new Error("The job does not hold its gates.");
