import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { allocateRaw } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type ReduceRequest, reduceInto } from "../../../../src/runtime/tensor/reduce/index.ts";
import { bitsIn, makeElements } from "./support/elements.ts";
import { exactBits, type FloatType } from "./support/exact-oracle.ts";

const floats: readonly FloatType[] = ["f64", "f32", "f16", "bf16", "e4m3", "e5m2"];
const engines = ["typescript", "wasm"] as const;
const count = 32;

function reduced(request: Omit<ReduceRequest, "out" | "count">): bigint[] {
  const out = allocateRaw(request.dtype, count);
  reduceInto({ ...request, count, out });
  // What is too large for e4m3 becomes NaN, whose sign says nothing.
  return bitsIn(out).map((bits) => (request.dtype === "e4m3" && bits === 0xffn ? 0x7fn : bits));
}

const cases = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  ranks: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 200 })),
});

describe.each(floats)("the exact sum of %s", (dtype) => {
  it.each(engines)("is what exact arithmetic gives, rounded once, by %s", (engine) => {
    fc.assert(
      fc.property(cases, ({ seed, ranks }) => {
        const { bits, sources } = makeElements(dtype, { seed, ranks, count });
        for (const op of ["sum", "avg"] as const) {
          const expected = Array.from({ length: count }, (_, element) =>
            exactBits(
              dtype,
              bits.map((values) => values[element] ?? 0n),
              op === "avg",
            ),
          );
          expect(reduced({ dtype, op, sources, engine })).toEqual(expected);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("has the same bits for every order, grouping, engine and number of threads", () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...engines), ({ seed, ranks }, engine) => {
        const { sources } = makeElements(dtype, { seed, ranks, count });
        const rng = createRng(seed).stream("order");
        const expected = reduced({ dtype, op: "sum", sources, engine: "typescript" });
        const shuffled = rng.shuffle(sources);
        const indices = rng.shuffle(sources.map((_, index) => index));
        const groups: number[][] = [];
        while (indices.length > 0) groups.push(indices.splice(0, 1 + rng.int(12)));
        const same = (request: Partial<ReduceRequest>) =>
          expect(reduced({ dtype, op: "sum", sources, engine, ...request })).toEqual(expected);
        same({});
        same({ sources: shuffled });
        same({ groups });
        same({ sources: shuffled, groups, threads: 2 });
        same({ threads: 1 });
      }),
      { numRuns: 6 },
    );
  });
});
