import type { DType } from "../../tensor/dtype/index.ts";

/** How devices are divided among tensor, pipeline and data parallelism. */
export interface Split {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;
  /** Parts of a stage that take turns (interleaved 1F1B). */
  readonly virtualStages: number;
  /** Sequences of one micro-batch. */
  readonly micro: number;
}

/** One rule: up to so many devices, divide like this; the rest is data parallel. */
export interface SplitRule {
  /** The last rule may have none and then stands for all larger counts. */
  readonly upTo?: number;
  readonly tensor: number;
  readonly pipeline: number;
  readonly virtualStages?: number;
}

/** What a training step does, apart from the system it runs on. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly model: {
    readonly parameters: number;
    readonly layers: number;
    readonly hidden: number;
    readonly vocabulary: number;
    readonly sequence: number;
  };
  readonly batch: {
    /** Sequences of one step when scaling is strong. */
    readonly global: number;
    /** Sequences for each device when scaling is weak. */
    readonly perDevice: number;
    /** Sequences of one micro-batch; with `split: "auto"` fewer where replicas would get none. */
    readonly micro: number;
  };
  readonly precision: {
    readonly compute: DType;
    /** What gradients are summed in. */
    readonly gradients: DType;
  };
  readonly kernels: {
    /** The share of the data sheet's peak that large products reach. */
    readonly peakShare: number;
    /** What a layer's pass costs beside its arithmetic: launches, small kernels, tails. */
    readonly layerUs: number;
    /** `full`: activations are not kept, the forward pass is computed again. Attention is fused in any case. */
    readonly recompute: "none" | "full";
  };
  /** `auto`: for each count the fastest division that fits the memory. */
  readonly split: "auto" | readonly SplitRule[];
  readonly overlap: {
    /** The share of tensor-parallel collectives that hides behind products. */
    readonly tensor: number;
    /** The share of sends between stages that hides. */
    readonly pipeline: number;
    /** The share of the last backward and first forward pass that gradients and weights may hide behind. */
    readonly data: number;
  };
  /** What data-parallel ranks divide: 0 nothing, 1 optimizer, 2 and gradients, 3 and weights. */
  readonly zero: 0 | 1 | 2 | 3;
  readonly checkpoint: {
    /** 0: none is written. */
    readonly everySteps: number;
    readonly bytesPerParameter: number;
    /** What the storage takes from all nodes together, and from one, in GB/s. */
    readonly storageGBps: number;
    readonly nodeGBps: number;
    /** The share of the write that training waits for; 1 for a plain save. */
    readonly blockingShare: number;
  };
  /** Standard deviation of a device's speed, of the mean: the slowest of all decides. */
  readonly skew: number;
  /** What no device shares with another, in each step: data, logs, host. */
  readonly serialMs: number;
}
