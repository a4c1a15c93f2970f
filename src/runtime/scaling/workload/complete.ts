import type { Workload } from "./types.ts";

/** What nobody says about a workload unless it is special. */
export const workloadDefaults = {
  vocabulary: 51_200,
  precision: { compute: "bf16", gradients: "f32" },
  kernels: { peakShare: 0.62, layerUs: 40, recompute: "none" },
  split: "auto",
  overlap: { tensor: 0.3, pipeline: 0.5, data: 0.8 },
  zero: 1,
  checkpoint: {
    everySteps: 500,
    bytesPerParameter: 14,
    storageGBps: 200,
    nodeGBps: 20,
    blockingShare: 1,
  },
  skew: 0.005,
  serialMs: 2,
} as const satisfies Omit<Workload, "name" | "title" | "model" | "batch"> & {
  readonly vocabulary: number;
};

/** Weights of a GPT: 12·h² and what is beside it in each layer, and the table of words. */
export function parametersOf(model: Omit<Workload["model"], "parameters">): number {
  const { layers, hidden, vocabulary, sequence } = model;
  return layers * (12 * hidden * hidden + 13 * hidden) + (vocabulary + sequence) * hidden;
}
