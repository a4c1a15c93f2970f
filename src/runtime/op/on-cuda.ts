import type { CudaTensor } from "../cuda/tensor/index.ts";
import { openSessions } from "../profile/active-sessions.ts";
import { measured } from "../profile/index.ts";
import type { Extent } from "./operand.ts";

/** An operation on tensors of one GPU. */
export interface CudaWork {
  readonly op: string;
  readonly inputs: readonly [CudaTensor, ...CudaTensor[]];
  readonly compute: (inputs: readonly CudaTensor[]) => CudaTensor;
  readonly flops: (inputs: readonly Extent[], out: Extent) => number;
}

/**
 * Puts work on a GPU. It is done later; while a profile is open it is waited for, and the profile is
 * told how long it took from the host's side.
 */
export function onCuda({ op, inputs, compute, flops }: CudaWork): CudaTensor {
  if (openSessions().length === 0) return compute(inputs);
  const [{ device }] = inputs;
  device.synchronize();
  return measured(
    (out) => ({
      op,
      kind: "compute",
      bytes: [...inputs, out].reduce((sum, one) => sum + one.bytes, 0),
      flops: flops(inputs, out),
      devices: 1,
      groups: 1,
      dtype: out.dtype,
      shape: out.shape,
    }),
    () => {
      const out = compute(inputs);
      device.synchronize();
      return out;
    },
  );
}
