import { TesseraError } from "../../platform/errors/index.ts";
import { CudaTensor } from "../cuda/tensor/index.ts";
import { DistTensor, distribute } from "../dist/array/index.ts";
import { Tensor } from "../tensor/index.ts";

/** What operations work on: a tensor of this host, of a GPU, or on the devices of a mesh. */
export type Operand = Tensor | CudaTensor | DistTensor;

/** How large a tensor is, wherever it lies. */
export type Extent = Pick<Tensor, "shape" | "size">;

/** Refuses layouts that an operation cannot work on where they are. */
export function layoutError(
  op: string,
  problem: string,
  remedy: string,
): TesseraError<"E_LAYOUT_OP"> {
  return new TesseraError("E_LAYOUT_OP", { op, problem, remedy });
}

/**
 * Operands as distributed tensors on one mesh: tensors of this host count as replicated.
 * Undefined when none is distributed.
 *
 * @throws E_LAYOUT_OP when they are on different meshes.
 */
export function onOneMesh(
  op: string,
  operands: readonly Operand[],
): readonly DistTensor[] | undefined {
  const first = operands.find((operand) => operand instanceof DistTensor);
  if (first === undefined) return undefined;
  const { mesh } = first;
  return operands.map((operand) => {
    if (operand instanceof Tensor) return distribute(operand, { mesh });
    if (operand instanceof CudaTensor) {
      throw layoutError(
        op,
        `one operand is on a ${mesh.describe()}, another on ${operand.device.id}`,
        "Bring the second to this host first: x.toHost().",
      );
    }
    if (operand.mesh.equals(mesh)) return operand;
    throw layoutError(
      op,
      `one operand is on a ${mesh.describe()}, another on a ${operand.mesh.describe()}`,
      "Bring both to one mesh: x.redistribute({ mesh: y.mesh }).",
    );
  });
}

/**
 * Operands as tensors of one GPU; undefined when none is on any. Nothing is copied there behind the
 * user's back.
 *
 * @throws E_LAYOUT_OP when another is on this host, or on another GPU.
 */
export function onOneGpu(
  op: string,
  operands: readonly Operand[],
): readonly [CudaTensor, ...CudaTensor[]] | undefined {
  const first = operands.find((operand) => operand instanceof CudaTensor);
  if (first === undefined) return undefined;
  const { id } = first.device;
  for (const operand of operands) {
    if (operand instanceof CudaTensor && operand.device.id === id) continue;
    const place = operand instanceof CudaTensor ? operand.device.id : "this host";
    throw layoutError(
      op,
      `one operand is on ${id}, another on ${place}`,
      `Bring it there first: tensor.toDevice(x, "${id}").`,
    );
  }
  return operands as readonly [CudaTensor, ...CudaTensor[]];
}
