import { type DType, decodeInto, encodeInto, type RawArray } from "../../dtype/index.ts";
import type { ReduceOp } from "../types.ts";

/** What a running value is rounded to after every step. */
export type Carrier = "f64" | "f32" | "i32" | "u8" | "dtype";

/** One step on running values held as doubles: `into[i] = into[i] op from[i]`, rounded. */
export type Combine = (into: Float64Array, from: Float64Array, count: number) => void;

type NumberOp = Exclude<ReduceOp, "avg" | "band" | "bor" | "bxor">;

/** How two running values of a carrier become one. Sums and products of integers wrap around. */
export function combineOf(op: NumberOp, carrier: Carrier, rounded: RoundAll): Combine {
  if (op === "min") return elementwise(Math.min);
  if (op === "max") return elementwise(Math.max);
  const sum = op === "sum";
  switch (carrier) {
    case "f64":
      return elementwise(sum ? (a, b) => a + b : (a, b) => a * b);
    case "f32":
      return elementwise(sum ? (a, b) => Math.fround(a + b) : (a, b) => Math.fround(a * b));
    case "i32":
      return elementwise(sum ? (a, b) => (a + b) | 0 : Math.imul);
    case "u8":
      return elementwise(sum ? (a, b) => (a + b) & 0xff : (a, b) => (a * b) & 0xff);
    case "dtype": {
      // Both formats are so small that rounding the double is rounding the exact result.
      const exact = elementwise(sum ? (a, b) => a + b : (a, b) => a * b);
      return (into, from, count) => {
        exact(into, from, count);
        rounded(into, count);
      };
    }
  }
}

function elementwise(one: (a: number, b: number) => number): Combine {
  return (into, from, count) => {
    for (let i = 0; i < count; i++) into[i] = one(into[i] as number, from[i] as number);
  };
}

/** Rounds so many values in place. */
export type RoundAll = (values: Float64Array, count: number) => void;

/** Rounds to a dtype by storing and reading back. */
export function roundAllTo(dtype: DType, scratch: RawArray): RoundAll {
  return (values, count) => {
    encodeInto(dtype, values, 0, count, scratch);
    decodeInto(dtype, scratch, 0, count, values);
  };
}
