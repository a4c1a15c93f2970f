import type { DType } from "../../tensor/dtype/index.ts";
import { type SafetensorsDType, safetensorsBits } from "./safetensors-dtype.ts";

const names: Readonly<Record<DType, SafetensorsDType>> = {
  f64: "F64",
  f32: "F32",
  f16: "F16",
  bf16: "BF16",
  e4m3: "F8_E4M3",
  e5m2: "F8_E5M2",
  i32: "I32",
  u8: "U8",
};

const ours: ReadonlyMap<SafetensorsDType, DType> = new Map(
  (Object.entries(names) as [DType, SafetensorsDType][]).map(([dtype, name]) => [name, dtype]),
);

const known: ReadonlySet<string> = new Set(Object.keys(safetensorsBits));

/** What safetensors calls a dtype of ours. */
export function safetensorsDTypeOf(dtype: DType): SafetensorsDType {
  return names[dtype];
}

/** The dtype of ours that holds the same numbers; undefined for a format that tensors do not have. */
export function dtypeOfSafetensors(name: SafetensorsDType): DType | undefined {
  return ours.get(name);
}

export function isSafetensorsDType(name: string): name is SafetensorsDType {
  return known.has(name);
}
