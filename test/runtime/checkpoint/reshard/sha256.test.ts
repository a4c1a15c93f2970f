import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PieceHashes, sha256 } from "../../../../src/runtime/checkpoint/reshard/index.ts";

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("hashes are those of the bytes at the call, for small and large ones", async () => {
  for (const length of [0, 1, 32_767, 32_768, 300_000]) {
    const bytes = new Uint8Array(length).fill(7);
    const wanted = hashOf(bytes);
    const hash = sha256(bytes);
    bytes.fill(9);
    expect(await hash).toBe(wanted);
  }
});

test("hashes of pieces do not depend on the runs in which their bytes come", async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.array(fc.integer({ min: 1, max: 20 })), async (pieces, runs) => {
      const size = pieces.reduce((sum, length) => sum + length, 0);
      const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 37) % 251);
      const hashes = new PieceHashes(pieces);
      const buffer = new Uint8Array(20);
      let done = 0;
      for (const length of [...runs, ...Array.from({ length: size }, () => 20)]) {
        const run = bytes.subarray(done, done + length);
        buffer.set(run);
        await hashes.add(buffer.subarray(0, run.length));
        done += run.length;
      }
      let start = 0;
      const wanted = pieces.map((length) => hashOf(bytes.subarray(start, (start += length))));
      expect(hashes.all()).toEqual(wanted);
    }),
  );
});

test("pieces that are not whole have no hashes, and bytes beyond the last are refused", async () => {
  const hashes = new PieceHashes([4, 4]);
  await hashes.add(new Uint8Array(6));
  expect(() => hashes.all()).toThrow("1 of 2 pieces came");
  await expect(hashes.add(new Uint8Array(3))).rejects.toThrow("more bytes than pieces");
});
