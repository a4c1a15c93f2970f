import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";

/**
 * The number formats of tensors on a GPU: those of the host, and i8, which only products of
 * matrices take (its values go to the host as i32).
 */
export type CudaDType = DType | "i8";

/** What the formats are called in kernels. */
const names: Readonly<Record<CudaDType, string>> = {
  f64: "double",
  f32: "float",
  f16: "f16",
  bf16: "bf16",
  e4m3: "e4m3",
  e5m2: "e5m2",
  i32: "int",
  u8: "u8",
  i8: "i8",
};

/** The type of an element in CUDA C, as `number-formats` defines it. */
export function cudaTypeName(dtype: CudaDType): string {
  return names[dtype];
}

/** Bytes of one element. */
export function cudaDtypeBytes(dtype: CudaDType): 1 | 2 | 4 | 8 {
  return dtype === "i8" ? 1 : dtypeInfo(dtype).bytes;
}

/** True for the float formats. */
export function isFloat(dtype: CudaDType): boolean {
  return dtype !== "i8" && dtypeInfo(dtype).kind === "float";
}
