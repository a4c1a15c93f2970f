import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { philox4x32 } from "../../../../../src/platform/rng/philox.ts";
import {
  createPhiloxGroup,
  philoxGroupWords,
} from "../../../../../src/runtime/tensor/kernels/philox/philox-group.ts";

const word = fc.nat({ max: 2 ** 32 - 1 });
const stream = fc.tuple(word, word, word, word);
/** Counters of blocks have up to 53 bits; the edge of 32 is where a carry would be lost. */
const group = fc.oneof(
  fc.nat({ max: 100 }),
  fc.integer({ min: 2 ** 30 - 2, max: 2 ** 30 + 2 }),
  fc.integer({ min: 0, max: 2 ** 51 - 1 }),
);

describe.each(["wasm", "typescript"] as const)("groups of random words (%s)", (engine) => {
  const make = createPhiloxGroup(engine);

  it("are the words of four blocks of Philox, in order", () => {
    fc.assert(
      fc.property(stream, group, ([key0, key1, high0, high1], nth) => {
        const out = new Uint32Array(philoxGroupWords);
        make(key0 | 0, key1 | 0, high0 | 0, high1 | 0, nth, out, 0);
        const blocks = [0, 1, 2, 3].map((block) => {
          const index = 4 * nth + block;
          const counter = [index % 2 ** 32, Math.floor(index / 2 ** 32), high0, high1] as const;
          return [...philox4x32(counter, [key0, key1])];
        });
        expect([...out]).toEqual(blocks.flat());
      }),
    );
  });

  it("are put where they are asked for, and nothing beside them is touched", () => {
    const out = new Uint32Array(3 * philoxGroupWords).fill(7);
    const alone = new Uint32Array(philoxGroupWords);
    make(1, 2, 3, 4, 5, out, philoxGroupWords);
    make(1, 2, 3, 4, 5, alone, 0);
    const around = [...out.subarray(0, philoxGroupWords), ...out.subarray(2 * philoxGroupWords)];
    expect(new Set(around)).toEqual(new Set([7]));
    expect(out.subarray(philoxGroupWords, 2 * philoxGroupWords)).toEqual(alone);
  });

  it("differ with each word of the stream and with the number of the group", () => {
    const of = (...args: readonly [number, number, number, number, number]) => {
      const out = new Uint32Array(philoxGroupWords);
      make(...args, out, 0);
      return out.join();
    };
    const all = [0, 1, 2, 3, 4].map((changed) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = [1, 2, 3, 4, 5].map((value, at) =>
        at === changed ? value + 16 : value,
      );
      return of(a, b, c, d, e);
    });
    expect(new Set([...all, of(1, 2, 3, 4, 5)]).size).toBe(6);
  });
});
