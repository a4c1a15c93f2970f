import { TesseraError } from "../../../platform/errors/index.ts";
import { dtypeError } from "../../tensor/ops/operands.ts";
import { formatShape, sameShape, shapeError } from "../../tensor/shape.ts";
import type { CudaDevice } from "../device/device.ts";
import type { CudaArray, IntoTensor } from "../tensor/cuda-array.ts";
import { type CudaDType, isFloat } from "../tensor/cuda-dtype.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";

/** The device of all these operands. @throws E_LAYOUT_OP when they are on different ones. */
export function requireOneDevice(
  op: string,
  first: CudaArray,
  ...others: readonly (CudaArray | undefined)[]
): CudaDevice {
  const { device } = first;
  const stranger = others.find((one) => one !== undefined && one.device.id !== device.id);
  if (stranger === undefined) return device;
  throw new TesseraError("E_LAYOUT_OP", {
    op,
    problem: `one operand is on ${device.id}, another on ${stranger.device.id}`,
    remedy: "Bring both to one GPU: tensor.toDevice(x.toHost(), id).",
  });
}

/** @throws E_DTYPE for integers. */
export function requireCudaFloat(op: string, { dtype }: CudaArray): void {
  if (!isFloat(dtype)) throw dtypeError(op, `it works on floats, not on ${dtype}`);
}

/** @throws E_DTYPE unless all have the dtype of the first. */
export function requireOneDType(
  op: string,
  first: CudaArray,
  ...others: readonly (CudaArray | undefined)[]
): CudaDType {
  const stranger = others.find((one) => one !== undefined && one.dtype !== first.dtype);
  if (stranger === undefined) return first.dtype;
  throw dtypeError(op, `${first.dtype} meets ${stranger.dtype}`);
}

/** @throws E_SHAPE unless the tensor has this shape. */
export function requireCudaShape(
  op: string,
  { shape }: CudaArray,
  wanted: { readonly shape: readonly number[]; readonly what: string },
): void {
  if (sameShape(shape, wanted.shape)) return;
  throw shapeError(
    op,
    `the ${wanted.what} is ${formatShape(shape)}, and ${formatShape(wanted.shape)} was expected`,
  );
}

/** Where a result goes: `out` when it fits, else a new tensor. @throws E_SHAPE, E_DTYPE */
export function outputFor(
  op: string,
  device: CudaDevice,
  spec: { readonly dtype: CudaDType; readonly shape: readonly number[] },
  { out }: IntoTensor<CudaTensor>,
): CudaTensor {
  if (out === undefined) return CudaTensor.allocate(device, spec);
  if (out.dtype !== spec.dtype) throw dtypeError(op, `out is ${out.dtype}, not ${spec.dtype}`);
  requireCudaShape(op, out, { shape: spec.shape, what: "out" });
  return out;
}
