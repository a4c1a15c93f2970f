import type { JobOptions } from "../../../runtime/training/index.ts";

/** Jobs small enough to be trained for real, hundreds of times in a test. */
export const jobPresetNames = ["small", "transformer"] as const;
export type JobPresetName = (typeof jobPresetNames)[number];

/** The batch is divisible by 1 to 4, 6, 8, 12 and 24 replicas, so that shrinking finds a size that fits. */
export const jobPresets: Readonly<Record<JobPresetName, JobOptions>> = {
  /** About a millisecond a step on one core; four layers, so that it can be cut into stages. */
  small: {
    model: { kind: "mlp", inputs: 4, hidden: [16, 16, 16], outputs: 4 },
    optimizer: { kind: "adamW", learningRate: 0.01 },
    batch: 24,
    seed: "small",
    data: { samples: 240 },
  },
  /** Tens of milliseconds a step; attention, norms and an embedding. */
  transformer: {
    model: {
      kind: "transformer",
      task: "copy",
      vocabulary: 16,
      positions: 8,
      width: 16,
      heads: 4,
      blocks: 2,
    },
    optimizer: { kind: "adamW", learningRate: 0.003 },
    batch: 24,
    seed: "transformer",
    data: { samples: 240 },
  },
};
