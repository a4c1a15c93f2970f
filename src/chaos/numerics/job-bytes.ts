import { dtypeInfo } from "../../runtime/tensor/dtype/index.ts";
import type { JobOptions } from "../../runtime/training/index.ts";
import { shardedModel } from "../../runtime/training/model/index.ts";

/** How much there is to move and to keep. */
export interface JobBytes {
  /** All parameters. */
  readonly parameters: number;
  /** What gradients are sent as. */
  readonly gradients: number;
  /** Parameters and what the optimizer remembers: a checkpoint. */
  readonly state: number;
  /** What the layers hand on for one sample, roughly. */
  readonly activationsPerSample: number;
}

/** Moments of AdamW beside each parameter, in f32. */
const momentBytes = { adamW: 8, sgd: 4 };

/** Modelled from the shapes of the parameters. */
export function bytesOfJob(job: JobOptions): JobBytes {
  const { params } = shardedModel(job.model);
  let elements = 0;
  let parameters = 0;
  let widest = 0;
  for (const { shape, dtype } of params.values()) {
    const size = shape.reduce((product, length) => product * length, 1);
    elements += size;
    parameters += size * dtypeInfo(dtype).bytes;
    widest += shape.at(-1) ?? 0;
  }
  return {
    parameters,
    gradients: parameters,
    state: parameters + elements * momentBytes[job.optimizer.kind],
    activationsPerSample: 4 * widest,
  };
}
