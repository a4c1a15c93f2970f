import { TesseraError } from "../../platform/errors/index.ts";
import { DistTensor, distribute } from "../dist/array/index.ts";
import { Tensor } from "../tensor/index.ts";

/** What operations work on: a tensor of this host, or one on the devices of a mesh. */
export type Operand = Tensor | DistTensor;

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
    if (operand.mesh.equals(mesh)) return operand;
    throw layoutError(
      op,
      `one operand is on a ${mesh.describe()}, another on a ${operand.mesh.describe()}`,
      "Bring both to one mesh: x.redistribute({ mesh: y.mesh }).",
    );
  });
}
