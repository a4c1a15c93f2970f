import { createHash } from "node:crypto";
import type { DimSlice } from "../../dist/layout/split.ts";
import type { DType } from "../../tensor/dtype/index.ts";

/** What a plan says about one tensor. */
export interface PlannedBoxes {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly boxes: readonly (readonly DimSlice[])[];
}

/** SHA-256 in hex over names, dtypes, shapes and boxes: a line of JSON for each tensor, by name. */
export function planHashOf(tensors: readonly PlannedBoxes[]): string {
  const hash = createHash("sha256");
  for (const { name, dtype, shape, boxes } of tensors) {
    const flat = boxes.map((box) => box.map(({ start, step, count }) => [start, step, count]));
    hash.update(`${JSON.stringify([name, dtype, shape, flat])}\n`);
  }
  return hash.digest("hex");
}
