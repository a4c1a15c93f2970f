import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../../src/runtime/tensor/digest/index.ts";
import { bytesOf, type DType } from "../../../../src/runtime/tensor/dtype/index.ts";
import { fromValues, rand, Tensor, zeros } from "../../../../src/runtime/tensor/index.ts";

const mib = 1024 * 1024;

/** The construction of the documentation, written again over all bytes at once. */
function byHand(dtype: DType, shape: readonly number[], bytes: Uint8Array): string {
  const leaves: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += mib) {
    const block = bytes.subarray(start, start + mib);
    leaves.push(
      createHash("sha256")
        .update(Buffer.concat([Buffer.of(0), block]))
        .digest(),
    );
  }
  const line = `tessera tensor 1 ${dtype} [${shape.join(",")}]\n`;
  const root = Buffer.concat([Buffer.of(1), Buffer.from(line), ...leaves]);
  return `sha256:${createHash("sha256").update(root).digest("hex")}`;
}

describe("digestOf", () => {
  it("gives the same digests for ever", () => {
    // Checkpoints and reports carry these: a change here makes every old one look damaged.
    expect(
      fromValues([
        [1, 2],
        [3, 4],
      ]).digest(),
    ).toBe("sha256:ec9ec514b32e23b726ad2650c8fdf4e2aef40b92d8136dd07b3105825d0521a0");
    expect(zeros([0, 3], { dtype: "bf16" }).digest()).toBe(
      "sha256:a4e0fc450760c32fcc9781b45f67f99fedb7a44f70aabb5d21c2548351ae9ae7",
    );
  });

  it.each<[string, DType, number[]]>([
    ["less than a block", "f32", [7]],
    ["exactly one block", "u8", [mib]],
    ["one byte more than a block", "u8", [mib + 1]],
    ["two blocks and a part", "f64", [3, 100_000]],
    ["nothing", "f16", [4, 0]],
    ["a number without dimensions", "e5m2", []],
  ])("follows its documented construction for %s", (_, dtype, shape) => {
    const tensor = rand(shape, { dtype, seed: "digest" });
    expect(tensor.digest()).toBe(byHand(dtype, shape, bytesOf(tensor.raw)));
  });

  it("is the same for a view and for its contiguous copy", () => {
    const whole = rand([40, 30, 20], { seed: 1 });
    const views = [
      whole.transpose(),
      whole.permute([2, 0, 1]),
      whole.slice([{ start: 3, step: 7 }, null, { step: -1 }]),
      whole.slice([5]).expand([3, 30, 20]),
    ];
    for (const view of views) {
      expect(view.isContiguous).toBe(false);
      const copy = Tensor.over(view.toRaw(), { dtype: "f32", shape: view.shape });
      expect(view.digest()).toBe(copy.digest());
    }
  });

  it("differs for any other bit, for another dtype and for another shape", () => {
    const bits = Uint32Array.from({ length: 6 }, (_, index) => index * 0x1234567);
    const of = (words: Uint32Array, shape: number[]) =>
      Tensor.over(new Float32Array(words.buffer), { dtype: "f32", shape }).digest();
    const digest = of(bits, [6]);
    expect(of(Uint32Array.from(bits), [6])).toBe(digest);
    expect(of(bits, [6, 1])).not.toBe(digest);
    expect(of(bits, [2, 3])).not.toBe(of(bits, [3, 2]));
    const asIntegers = Tensor.over(new Int32Array(bits.buffer), { dtype: "i32", shape: [6] });
    expect(asIntegers.digest()).not.toBe(digest);
    fc.assert(
      fc.property(fc.nat({ max: 5 }), fc.nat({ max: 31 }), (index, bit) => {
        const flipped = Uint32Array.from(bits);
        flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
        expect(of(flipped, [6])).not.toBe(digest);
      }),
    );
  });

  it("tells -0 from 0 and one NaN from another", () => {
    expect(fromValues([-0]).digest()).not.toBe(fromValues([0]).digest());
    const nan = (pattern: number) =>
      Tensor.over(new Float32Array(Uint32Array.of(pattern, 0).buffer), {
        dtype: "f32",
        shape: [2],
      });
    expect(nan(0x7fc00000).digest()).not.toBe(nan(0x7fc00001).digest());
    // Also when it is read through a view, which must not quieten a signalling one.
    const signalling = nan(0x7f800001);
    const reversed = signalling.slice([{ step: -1 }]).slice([{ step: -1 }]);
    expect(reversed.digest()).toBe(signalling.digest());
    expect(signalling.expand([2, 2]).slice([0]).digest()).toBe(signalling.digest());
  });

  it("asks for the elements in order, a block at a time", () => {
    const asked: [number, number, number][] = [];
    digestOf({
      dtype: "f32",
      shape: [3, 200_000],
      read: (start, count, into) => {
        asked.push([start, count, into.length]);
        expect(into.byteOffset % 8).toBe(0);
      },
    });
    expect(asked).toEqual([
      [0, 262_144, mib],
      [262_144, 262_144, mib],
      [524_288, 75_712, 302_848],
    ]);
  });
});
