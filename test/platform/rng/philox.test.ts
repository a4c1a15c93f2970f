import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { philox4x32, type Words4 } from "../../../src/platform/rng/philox.ts";

const all = 0xffffffff;

// The same function in plain 64-bit arithmetic, as the paper states it.
function reference(counter: Words4, key: readonly [number, number]): Words4 {
  let words = counter.map(BigInt);
  let [k0, k1] = key.map(BigInt);
  const low = (value: bigint) => value & 0xffffffffn;
  for (let round = 0; round < 10; round++) {
    const [c0 = 0n, c1 = 0n, c2 = 0n, c3 = 0n] = words;
    const p0 = 0xd2511f53n * c0;
    const p1 = 0xcd9e8d57n * c2;
    words = [(p1 >> 32n) ^ c1 ^ (k0 ?? 0n), low(p1), (p0 >> 32n) ^ c3 ^ (k1 ?? 0n), low(p0)];
    k0 = low((k0 ?? 0n) + 0x9e3779b9n);
    k1 = low((k1 ?? 0n) + 0xbb67ae85n);
  }
  const [c0, c1, c2, c3] = words.map(Number);
  return [c0 ?? 0, c1 ?? 0, c2 ?? 0, c3 ?? 0];
}

describe("philox4x32", () => {
  it.each<[Words4, readonly [number, number], Words4]>([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [all, all, all, all],
      [all, all],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])("gives the published answer for counter %j and key %j", (counter, key, answer) => {
    expect(philox4x32(counter, key)).toEqual(answer);
  });

  it("agrees with plain 64-bit arithmetic for every counter and key", () => {
    const word = fc.integer({ min: 0, max: all });
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), fc.tuple(word, word), (counter, key) => {
        expect(philox4x32(counter, key)).toEqual(reference(counter, key));
      }),
    );
  });
});
