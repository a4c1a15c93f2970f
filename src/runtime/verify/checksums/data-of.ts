import { type DType, dtypeInfo, type Tensor } from "../../tensor/index.ts";
import type { DataArray } from "./sums.ts";

/** The elements in row-major order as they are summed: what f32 does not hold in f64, all others in f32. */
export function dataOf(tensor: Tensor): DataArray {
  if (tensor.dtype === "bf16") return fromBf16(tensor.toRaw() as Uint16Array);
  const isLong = tensor.dtype === "f64" || tensor.dtype === "i32";
  return tensor.to(isLong ? "f64" : "f32").toRaw() as DataArray;
}

/** The largest relative error of one rounding to nearest in this format. */
export function unitOf(dtype: DType): number {
  return 2 ** -dtypeInfo(dtype).precision;
}

/** bf16 is the upper half of f32: shifted bits are the same numbers, in a tenth of the time. */
function fromBf16(raw: Uint16Array): Float32Array {
  const words = new Int32Array(raw.length);
  for (let at = 0; at < raw.length; at++) words[at] = (raw[at] as number) << 16;
  return new Float32Array(words.buffer);
}
