import { canonicalNanBits } from "../wasm/emit-canonical-nan.ts";
import type { ElementwiseWork } from "./work.ts";

type Compute = (one: number, other: number) => number;

const computes: Readonly<Record<ElementwiseWork["operation"], Compute>> = {
  add: (one, other) => one + other,
  sub: (one, other) => one - other,
  mul: (one, other) => one * other,
  div: (one, other) => one / other,
  scale: (one, factor) => one * factor,
  relu: (one) => (one <= 0 ? 0 : one),
};

/**
 * The same in plain TypeScript. Sum, difference, product and quotient of two f32 values, computed
 * in f64 and rounded again, are the correctly rounded ones.
 */
export function elementwiseInTypeScript(work: ElementwiseWork): void {
  const { operation, inputs, out, count } = work;
  const compute = computes[operation];
  const [first, second] = inputs;
  const factor = Math.fround(work.factor);
  const bits = new Int32Array(out.array.buffer, out.array.byteOffset, out.array.length);
  for (let index = 0; index < count; index++) {
    const one = first?.array[first.start + index] as number;
    const other = second === undefined ? factor : (second.array[second.start + index] as number);
    const result = compute(one, other);
    const at = out.start + index;
    if (Number.isNaN(result)) bits[at] = canonicalNanBits;
    else out.array[at] = result;
  }
}
