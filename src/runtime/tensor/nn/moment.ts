import type { DType } from "../dtype/index.ts";

/** What the running means of an optimizer are stored in: too short a format would never move. */
export function momentDType({ dtype }: { readonly dtype: DType }): DType {
  return dtype === "f64" ? "f64" : "f32";
}
