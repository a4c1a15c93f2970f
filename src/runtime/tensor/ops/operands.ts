import { TesseraError } from "../../../platform/errors/index.ts";
import { allocateRaw, type DType, dtypeInfo, encodeInto } from "../dtype/index.ts";
import { formatShape, sameShape, shapeError } from "../shape.ts";
import { Tensor } from "../tensor.ts";

/** Refuses dtypes an operation was given: `matmul: f32 meets bf16.` */
export function dtypeError(operation: string, problem: string): TesseraError<"E_DTYPE"> {
  return new TesseraError("E_DTYPE", { operation, problem });
}

/** Throws E_DTYPE for integers. */
export function requireFloat(operation: string, tensor: Tensor): void {
  if (dtypeInfo(tensor.dtype).kind === "float") return;
  throw dtypeError(operation, `it works on floats, not on ${tensor.dtype}`);
}

/** Throws E_DTYPE unless both have the same dtype: nothing is converted behind the user's back. */
export function requireSameDType(operation: string, one: Tensor, other: Tensor): void {
  if (one.dtype === other.dtype) return;
  throw dtypeError(operation, `${one.dtype} meets ${other.dtype}`);
}

/** Throws E_SHAPE unless the tensor has exactly this shape; `what` is its part in the operation. */
export function requireShape(
  operation: string,
  tensor: Tensor,
  { shape, what }: { readonly shape: readonly number[]; readonly what: string },
): void {
  if (sameShape(tensor.shape, shape)) return;
  throw shapeError(
    operation,
    `the ${what} is ${formatShape(tensor.shape)}, and ${formatShape(shape)} was expected`,
  );
}

/** A tensor of these values, each rounded once. NaN is stored as the one quiet NaN. */
export function tensorOf(
  values: Float64Array,
  { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
): Tensor {
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, values, 0, values.length, raw);
  return Tensor.over(raw, { dtype, shape });
}
