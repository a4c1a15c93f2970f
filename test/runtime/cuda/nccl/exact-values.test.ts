import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ExactKind,
  exactKinds,
  exactValues,
  exactValuesKernel,
  valueAt,
} from "../../../../src/runtime/cuda/nccl/kernels/exact-values.ts";
import { decodeInto } from "../../../../src/runtime/tensor/dtype/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";

describe("the numbers of an exchange", () => {
  const group = fc.record({
    exactMax: fc.constantFrom(126, 254, 255, 2047, 2 ** 24),
    worldSize: fc.integer({ min: 1, max: 2000 }),
    place: fc.integer({ min: 0, max: 2 ** 40 }),
  });

  test("add up to what every element type holds exactly, for any group", () => {
    fc.assert(
      fc.property(group, ({ exactMax, worldSize, place }) => {
        const values = exactValues({ exactMax, worldSize });
        expect(values.valueMax).toBeGreaterThanOrEqual(1);
        let sum = 0;
        for (let rank = 0; rank < worldSize; rank++) {
          sum += valueAt(values, rank, place);
        }
        expect(Number.isInteger(sum) && sum >= 0).toBe(true);
        expect(sum).toBeLessThanOrEqual(exactMax);
      }),
      { numRuns: 100 },
    );
  });

  test("differ between ranks and between places", () => {
    const values = exactValues({ exactMax: 255, worldSize: 8 });
    const of = (rank: number, from: number) =>
      Array.from({ length: 64 }, (_, index) => valueAt(values, rank, from + index)).join();
    const seen = new Set(
      [0, 1, 2, 3].flatMap((rank) => [0, 64, 2 ** 33].map((at) => of(rank, at))),
    );
    expect(seen.size).toBe(12);
  });
});

/** How the elements of a kind are read back. */
const readers: Readonly<Record<ExactKind, (bytes: ArrayBuffer) => ArrayLike<number>>> = {
  byte: (bytes) => new Uint8Array(bytes),
  f16: (bytes) => decoded("f16", new Uint16Array(bytes)),
  bf16: (bytes) => decoded("bf16", new Uint16Array(bytes)),
  i32: (bytes) => new Int32Array(bytes),
  f32: (bytes) => new Float32Array(bytes),
  f64: (bytes) => new Float64Array(bytes),
};

function decoded(dtype: "f16" | "bf16", raw: Uint16Array): Float64Array {
  const values = new Float64Array(raw.length);
  decodeInto(dtype, raw, 0, raw.length, values);
  return values;
}

const kinds = Object.keys(exactKinds) as ExactKind[];
const elementBytes = { byte: 1, f16: 2, bf16: 2, i32: 4, f32: 4, f64: 8 };

describe.skipIf(noFake !== "")(`the kernels for them on a fake GPU${noFake}`, () => {
  const count = 300;
  const worldSize = 3;
  const firstPlace = 2 ** 32 - 100;

  test.each(kinds)("write the numbers as %s, and find none of them wrong", (kind) => {
    const device = openFake();
    const values = exactValues({ exactMax: 254, worldSize });
    const module = device.module(exactValuesKernel(kind));
    const numbers = device.memory.allocate(count * elementBytes[kind]);
    const found = device.memory.allocate(16);
    const shared = [{ u32: values.valueMax }, { u32: values.every }];
    device.stream.launch(module.kernel("fill_exact"), {
      grid: 2,
      block: 64,
      args: [{ ptr: numbers }, { u64: count }, ...shared, { u32: 1 }, { u64: firstPlace }],
    });
    const bytes = new Uint8Array(numbers.bytes);
    device.stream.download({ buffer: numbers }, bytes);
    const expected = Array.from({ length: count }, (_, i) => valueAt(values, 1, firstPlace + i));
    expect([...Array.from(readers[kind](bytes.buffer))]).toEqual(expected);

    const wrongIn = (): [bigint, bigint] => {
      const result = Buffer.alloc(16);
      result.writeBigUInt64LE(2n ** 64n - 1n, 8);
      device.stream.upload({ buffer: found }, result);
      device.stream.launch(module.kernel("verify_exact"), {
        grid: 2,
        block: 64,
        args: [
          { ptr: numbers },
          { u64: 0 },
          { u64: count },
          ...shared,
          { u32: 1 },
          { u32: 1 },
          { u64: firstPlace },
          { ptr: found },
        ],
      });
      device.stream.download({ buffer: found }, result);
      return [result.readBigUInt64LE(0), result.readBigUInt64LE(8)];
    };
    expect(wrongIn()).toEqual([0n, 2n ** 64n - 1n]);
    for (const element of [17, 250]) {
      const at = element * elementBytes[kind];
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    }
    device.stream.upload({ buffer: numbers }, bytes);
    expect(wrongIn()).toEqual([2n, 17n]);
  });
});
