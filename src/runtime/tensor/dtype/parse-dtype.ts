import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type DType, dtypes } from "./dtype.ts";

const aliases: ReadonlyMap<string, DType> = new Map<string, DType>([
  ...dtypes.map((name) => [name, name] as const),
  ["fp64", "f64"],
  ["float64", "f64"],
  ["double", "f64"],
  ["fp32", "f32"],
  ["float32", "f32"],
  ["float", "f32"],
  ["fp16", "f16"],
  ["float16", "f16"],
  ["half", "f16"],
  ["bfloat16", "bf16"],
  ["fp8", "e4m3"],
  ["fp8-e4m3", "e4m3"],
  ["float8-e4m3", "e4m3"],
  ["float8-e4m3fn", "e4m3"],
  ["fp8-e5m2", "e5m2"],
  ["float8-e5m2", "e5m2"],
  ["int32", "i32"],
  ["int", "i32"],
  ["uint8", "u8"],
  ["byte", "u8"],
]);

/**
 * The dtype that a name stands for: ours (`f32`), or what other libraries call it (`fp32`,
 * `float32`, `half`, `bfloat16`, `fp8`, `float8_e4m3fn`). Case does not matter, `_` is `-`; `fp8`
 * alone is e4m3, the one for values. Throws E_DTYPE with the name most like it.
 */
export function parseDType(text: string): DType {
  // Nearly all that comes here is one of our own names already.
  const dtype = aliases.get(text) ?? aliases.get(text.toLowerCase().replaceAll("_", "-"));
  if (dtype !== undefined) return dtype;
  throw new TesseraError("E_DTYPE", {
    operation: "dtype",
    problem: `${JSON.stringify(text)} is no dtype${didYouMean(text, aliases.keys())}`,
  });
}
