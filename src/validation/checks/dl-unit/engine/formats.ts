import type { DType } from "../../../../runtime/tensor/index.ts";
import type { EngineDType } from "./engine.ts";

/** The formats in which matrices are multiplied, as hardware tells them apart. */
export const matrixFormats = ["f64", "f32", "tf32", "f16", "bf16", "e4m3", "e5m2", "i8"] as const;
export type MatrixFormat = (typeof matrixFormats)[number];

/** What the factors of a format are stored in, and their product. */
export interface StoredFormat {
  readonly left: EngineDType;
  readonly right: EngineDType;
  readonly product: DType;
  readonly tf32: boolean;
}

/**
 * tf32 is a way to multiply f32; eight-bit formats have wider products. Hardware multiplies e5m2, the
 * format of gradients, by e4m3 alone.
 */
export function storedFormat(format: MatrixFormat): StoredFormat {
  switch (format) {
    case "tf32":
      return { left: "f32", right: "f32", product: "f32", tf32: true };
    case "e4m3":
    case "e5m2":
      return { left: format, right: "e4m3", product: "f32", tf32: false };
    case "i8":
      return { left: "i8", right: "i8", product: "i32", tf32: false };
    case "f64":
    case "f32":
    case "f16":
    case "bf16":
      return { left: format, right: format, product: format, tf32: false };
  }
}
