import type { Tensor } from "../../../../runtime/tensor/index.ts";
import type { Problem } from "./style.ts";
import { firstFarFrom, type Tolerance } from "./tolerance.ts";

/** Holds a row that a device computed against the same row in f64; `what` names it. */
export function checkRow(
  what: string,
  {
    found,
    expected,
    tolerance,
  }: {
    readonly found: Tensor;
    readonly expected: ArrayLike<number>;
    readonly tolerance: Tolerance;
  },
): readonly Problem[] {
  const values = found.toNumbers();
  const far = firstFarFrom(values, expected, tolerance);
  if (far === undefined) return [];
  const { at, wrong } = far;
  const text = `${wrong} of ${values.length} elements of ${what} are off; element ${at} is ${values[at]}, and ${expected[at]} in f64`;
  return [{ style: "tolerance", text }];
}
