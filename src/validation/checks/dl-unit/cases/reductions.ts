import { allocateRaw } from "../../../../runtime/tensor/dtype/index.ts";
import { fromValues, Tensor } from "../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine/engine.ts";
import type { Problem } from "../verify/style.ts";
import { type DlCase, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";

/** Sum, largest and smallest of many small integers: exact in every order. */
export const reductionCase: DlCase = defineCase<{ readonly length: number }>({
  name: "reductions",
  title: "Sum, largest and smallest of integers in f32",
  styles: ["exact", "repeat"],
  size: (request) => {
    const power = sizeOf(
      { cuda: { quick: 26, standard: 28 }, cpu: { quick: 18, standard: 20 } },
      request,
    );
    // Not a power of two: the last block is not full.
    return { length: Math.max(1000, Math.round(2 ** power * request.scale ** 2) - 37) };
  },
  describe: ({ length }) => `${length} f32`,
  iterations: { cuda: 1, cpu: 1 },
  prepare: ({ engine }, { length }) => {
    const { values, sum, max, min } = smallIntegers(length);
    const x = engine.upload(values);
    const results = (of: DlEngine<typeof x>) => ({
      sum: of.reduce("sum", x),
      max: of.reduce("max", x),
      min: of.reduce("min", x),
    });
    const expected = { sum, max, min };
    return {
      compute: (of: DlEngine<typeof x>) => {
        const found = results(of);
        const listed = [found.sum, found.max, found.min];
        return { found: engine.upload(fromValues(listed, { dtype: "f64" })) };
      },
      verify: ({ found }) => {
        if (found === undefined) return [];
        const values = engine.download(found).toNumbers();
        const problems = Object.entries(expected).flatMap(([name, right], at): Problem[] => {
          if (values[at] === right) return [];
          const text = `the ${name} of ${length} integers is ${values[at]}, and must be ${right}`;
          return [{ style: "exact", text }];
        });
        return problems.slice(0, 1);
      },
    };
  },
});

/** Integers from -7 to 7 whose sums stay small in every order, one largest and one smallest far in. */
function smallIntegers(length: number) {
  const raw = allocateRaw("f32", length) as Float32Array;
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const value = ((7 * at) % 15) - 7;
    raw[at] = value;
    sum += value;
  }
  const places = [Math.floor(length / 3), Math.floor((2 * length) / 3)] as const;
  sum += 100 - (raw[places[0]] as number) - 100 - (raw[places[1]] as number);
  raw[places[0]] = 100;
  raw[places[1]] = -100;
  return {
    values: Tensor.over(raw, { dtype: "f32", shape: [length] }),
    sum,
    max: 100,
    min: -100,
  };
}
