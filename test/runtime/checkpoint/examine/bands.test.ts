import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandsOf } from "../../../../src/runtime/checkpoint/examine/bands.ts";
import { StreamDigest } from "../../../../src/runtime/checkpoint/examine/stream-digest.ts";
import { bytesOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";

describe("bandsOf", () => {
  it("cuts a tensor into runs of row-major order, one after the other, within the limit", () => {
    const shapes = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 300 }), (shape, bytesMax) => {
        const size = shape.reduce((product, length) => product * length, 1);
        let next = 0;
        for (const box of bandsOf(shape, { elementBytes: 4, bytesMax })) {
          const count = box.reduce((product, slice) => product * slice.count, 1);
          expect(count === 1 || count * 4 <= bytesMax).toBe(true);
          let stride = size;
          let first = 0;
          for (const [dim, { start, step }] of box.entries()) {
            stride /= shape[dim] as number;
            first += start * stride;
            expect(step).toBe(1);
          }
          expect(first).toBe(next);
          next += count;
        }
        expect(next).toBe(size);
      }),
    );
  });
});

describe("StreamDigest", () => {
  it("is the digest of the tensor, however its bytes are cut", async () => {
    const tensor = rand([3, 150_001], { dtype: "f64", seed: 4 });
    const bytes = bytesOf(tensor.raw);
    for (const step of [1_000_003, 1024 * 1024, 77_777]) {
      const digest = new StreamDigest("f64", tensor.shape);
      for (let at = 0; at < bytes.length; at += step) {
        const part = bytes.slice(at, at + step);
        await digest.add(part);
        // What was handed over may be used for something else at once.
        part.fill(0);
      }
      expect(await digest.digest()).toBe(tensor.digest());
    }
    expect(await new StreamDigest("f32", [0]).digest()).toBe(rand([0]).digest());
  });
});
