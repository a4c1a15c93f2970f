import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distribute, tensor } from "../../../../src/runtime/dist/index.ts";
import { allocateRaw, bytesOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type DType, dtypes, random, Tensor } from "../../../../src/runtime/tensor/index.ts";
import { cases, dealt } from "../layout/arbitrary-layouts.ts";

/** Any bits at all: NaN of every kind, infinities, subnormal numbers. */
function anyBits(shape: readonly number[], dtype: DType, seed: number): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  const raw = allocateRaw(dtype, size);
  const noise = random([raw.byteLength], { spec: { kind: "uniform", seed } });
  bytesOf(raw).set(noise.toNumbers().map((value) => Math.floor(value * 256)));
  return Tensor.over(raw, { dtype, shape });
}

describe("gather(shard(x)) = x", () => {
  it("bit for bit, for every layout, mesh, shape and dtype", () => {
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom(...dtypes),
        fc.nat(),
        ({ mesh, shape, layout }, dtype, seed) => {
          const whole = anyBits(shape, dtype, seed);
          const x = distribute(whole, { mesh, layout });
          expect(x.toTensor().digest()).toBe(whole.digest());
          expect(x.digest()).toBe(whole.digest());
          expect(x.shardingValid()).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("also when values are made by a rule", () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ mesh, shape, layout }, seed) => {
        const spec = { kind: "uniform", seed } as const;
        const x = tensor(shape, { mesh, layout, random: spec, dtype: "bf16" });
        expect(x.digest()).toBe(random(shape, { spec, dtype: "bf16" }).digest());
      }),
      { numRuns: 50 },
    );
  });

  it("and every device holds the elements that are dealt to it", () => {
    fc.assert(
      fc.property(cases, ({ mesh, shape, layout }) => {
        const size = shape.reduce((product, length) => product * length, 1);
        const raw = Float64Array.from({ length: size }, (_, at) => at);
        const x = distribute(Tensor.over(raw, { dtype: "f64", shape }), { mesh, layout });
        for (const rank of mesh.devices.keys()) {
          const held = shape.reduce<number[]>(
            (places, length, dim) =>
              places.flatMap((place) =>
                dealt({ mesh, shape, layout }, rank, dim).map((index) => place * length + index),
              ),
            [0],
          );
          expect([...x.local(rank).toNumbers()]).toEqual(held);
        }
      }),
      { numRuns: 50 },
    );
  });
});
