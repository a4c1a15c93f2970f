import type { CudaTensor } from "../cuda/tensor/index.ts";
import { DistTensor } from "../dist/array/index.ts";
import type { Placement } from "../dist/layout/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { onCuda } from "./on-cuda.ts";
import { onDevices } from "./on-devices.ts";
import { onHost } from "./on-host.ts";
import { type Extent, type Operand, onOneGpu, onOneMesh } from "./operand.ts";

/** How inputs have to lie for an operation, and what comes of it. */
export interface Plan {
  /** The inputs, where a local slice of one was needed. */
  readonly inputs: readonly DistTensor[];
  readonly placements: readonly Placement[];
}

export interface Operation {
  readonly op: string;
  readonly operands: readonly Operand[];
  readonly compute: (locals: readonly Tensor[]) => Tensor;
  /** The same on a GPU, for operands that are all on one. */
  readonly cuda: (inputs: readonly CudaTensor[]) => CudaTensor;
  /** Floating-point operations; default one for each element of the result. */
  readonly flops?: (locals: readonly Extent[], out: Extent) => number;
  /** Asked for distributed operands. @throws E_LAYOUT_OP */
  readonly plan: (inputs: readonly DistTensor[]) => Plan;
}

/** Runs an operation on this host, or on the GPU or the devices where its operands lie. */
export function dispatch(operation: Operation): Operand {
  const { op, operands, compute, plan } = operation;
  const flops = operation.flops ?? ((_, out) => out.size);
  const isDistributed = operands.some((operand) => operand instanceof DistTensor);
  const onGpu = isDistributed ? undefined : onOneGpu(op, operands);
  if (onGpu !== undefined) return onCuda({ op, inputs: onGpu, compute: operation.cuda, flops });
  const distributed = onOneMesh(op, operands);
  if (distributed === undefined) {
    return onHost({ op, inputs: operands as readonly Tensor[], compute, flops });
  }
  return onDevices({ op, ...plan(distributed), compute, flops });
}
