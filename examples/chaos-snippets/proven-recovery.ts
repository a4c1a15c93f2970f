// Guide 7.4: a group is partitioned, a node of a pipeline fails, a data-parallel worker restarts; each time the
// job goes on from its checkpoint, and its result is compared with that of a run without faults.
import { chaos, dist, fault, op, tensor } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["pp", "dp"], shape: [2, 4], devices: 8 });
const steps = 12;

interface Checkpoint {
  readonly step: number;
  readonly weights: tensor.Tensor;
}

/** Adds what all ranks bring, step by step. Exact sums: the same bits on every mesh. */
class Job {
  saved: { readonly state: Checkpoint; readonly digest: string } | undefined;

  train({ state }: { readonly state?: Checkpoint | undefined }, breakAt = -1): string {
    let weights = state?.weights ?? tensor.zeros([16], { dtype: "f32" });
    for (let step = (state?.step ?? 0) + 1; step <= steps; step++) {
      if (step === breakAt) onBreak();
      const parts = dist.tensor([16], { mesh, random: { kind: "normal", seed: step } });
      const sum = op.allReduce(parts, { over: "dp" }).toTensor();
      weights = tensor.ops.add(weights, sum);
      if (step % 4 === 0) this.saved = { state: { step, weights }, digest: weights.digest() };
    }
    return weights.digest();
  }
}

let onBreak = () => {};
const expected = new Job().train({});

const experiments = [
  { fault: "partition", target: { groups: [[0, 1]] } },
  { fault: "fail_stage", target: { mesh, at: { pp: 1 } } },
  { fault: "restart_worker", target: 2 },
] as const;

for (const experiment of experiments) {
  const job = new Job();
  let injected: ReturnType<typeof begin> | undefined;
  const begin = () => chaos.inject({ ...experiment, expectedRecovery: "checkpointRestart" });
  onBreak = () => {
    injected ??= begin();
  };
  const result = await fault.onFailure<string, Checkpoint>(
    {
      policy: "drainThenResume",
      mesh,
      // What was lost is repaired while the job is drained.
      drain: () => injected?.[Symbol.dispose](),
      restore: () => job.saved,
      integrity: {
        digestOfState: ({ weights }) => weights.digest(),
        digestOfResult: (digest) => digest,
        expected,
      },
    },
    (attempt) => job.train(attempt, 7),
  );
  injected?.settle(result);
  const report = injected?.report();
  console.log(report?.text);
  if (report?.outcome !== "recovered")
    throw new Error(`${experiment.fault} was not recovered from.`);
}
