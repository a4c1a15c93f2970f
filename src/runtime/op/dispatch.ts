import type { DistTensor } from "../dist/array/index.ts";
import type { Placement } from "../dist/layout/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { onDevices } from "./on-devices.ts";
import { onHost } from "./on-host.ts";
import { type Operand, onOneMesh } from "./operand.ts";

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
  /** Floating-point operations; default one for each element of the result. */
  readonly flops?: (locals: readonly Tensor[], out: Tensor) => number;
  /** Asked for distributed operands. @throws E_LAYOUT_OP */
  readonly plan: (inputs: readonly DistTensor[]) => Plan;
}

/** Runs an operation on this host, or on the devices where its operands lie. */
export function dispatch(operation: Operation): Operand {
  const { op, operands, compute, plan } = operation;
  const flops = operation.flops ?? ((_, out) => out.size);
  const distributed = onOneMesh(op, operands);
  if (distributed === undefined) {
    return onHost({ op, inputs: operands as readonly Tensor[], compute, flops });
  }
  return onDevices({ op, ...plan(distributed), compute, flops });
}
