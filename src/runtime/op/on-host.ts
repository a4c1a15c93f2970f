import { measured } from "../profile/index.ts";
import { dtypeInfo } from "../tensor/dtype/index.ts";
import type { Tensor } from "../tensor/index.ts";

/** An operation on tensors of this host. */
export interface HostWork {
  readonly op: string;
  readonly inputs: readonly Tensor[];
  readonly compute: (inputs: readonly Tensor[]) => Tensor;
  readonly flops: (inputs: readonly Tensor[], out: Tensor) => number;
}

/** Computes on this host, and tells the profile how long it took. */
export function onHost({ op, inputs, compute, flops }: HostWork): Tensor {
  return measured(
    (out) => ({
      op,
      kind: "compute",
      bytes: [...inputs, out].reduce((sum, one) => sum + one.size * dtypeInfo(one.dtype).bytes, 0),
      flops: flops(inputs, out),
      devices: 1,
      groups: 1,
      dtype: out.dtype,
      shape: out.shape,
    }),
    () => compute(inputs),
  );
}
