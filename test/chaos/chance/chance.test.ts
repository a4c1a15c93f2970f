import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChanceStream, createChance } from "../../../src/chaos/chance/index.ts";
import { philox4x32 } from "../../../src/platform/rng/philox.ts";
import { streamKey } from "../../../src/platform/rng/stream-key.ts";

const draws = 20_000;

function sample(draw: (stream: ChanceStream) => number, count = draws): number[] {
  const stream = createChance("fixed").stream("moments");
  return Array.from({ length: count }, () => draw(stream));
}

const mean = (values: readonly number[]) =>
  values.reduce((total, value) => total + value, 0) / values.length;
const moment = (values: readonly number[], power: number) => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
};
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Four deviations of what is estimated, or more; the seed is fixed. */
function expectNear(value: number, expected: number, tolerance: number): void {
  expect(Math.abs(value - expected)).toBeLessThan(tolerance);
}

describe("streams", () => {
  it("are the words of Philox with the entity in the counter, so none shares a block with another", () => {
    const { key, counterHigh } = streamKey("fixed", ["tessera sim 1", "jitter"]);
    for (const entity of [0, 1, 77, 2 ** 32 - 1]) {
      const stream = createChance("fixed").stream("jitter", entity);
      for (let block = 0; block < 9; block++) {
        const counter = [block, 0, counterHigh[0], (counterHigh[1] ^ entity) >>> 0] as const;
        const words = Array.from({ length: 4 }, () => stream.uint32());
        expect(words).toEqual([...philox4x32(counter, key)]);
      }
    }
  });

  it("give the same whatever is drawn from others in between, or whether there are others", () => {
    const name = fc.tuple(
      fc.constantFrom("a", "b", "ab"),
      fc.oneof(fc.nat(5), fc.constantFrom("1", "x")),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), name, (others, [purpose, entity]) => {
        const alone = createChance("s").stream(purpose, entity);
        const among = createChance("s");
        for (const [otherPurpose, otherEntity] of others) {
          const isOwn = otherPurpose === purpose && otherEntity === entity;
          if (!isOwn) among.stream(otherPurpose, otherEntity).float();
          expect(among.stream(purpose, entity).uint32()).toBe(alone.uint32());
        }
      }),
    );
  });

  it("go on when they are asked for again, and begin again with another chance of the seed", () => {
    const chance = createChance("s");
    const first = chance.stream("a", 1).uint32();
    expect(chance.stream("a", 1).uint32()).not.toBe(first);
    expect(createChance("s").stream("a", 1).uint32()).toBe(first);
    expect(createChance("t").stream("a", 1).uint32()).not.toBe(first);
  });

  it("differ between purposes, numbers and texts", () => {
    const chance = createChance("s");
    const firsts = [
      chance.stream("a"),
      chance.stream("a", 1),
      chance.stream("a", "1"),
      chance.stream("a", ""),
      chance.stream("b"),
      chance.stream("a1"),
    ].map((stream) => stream.uint32());
    expect(new Set(firsts).size).toBe(firsts.length);
    expect(createChance("s").stream("a", 0).uint32()).toBe(firsts[0]);
  });

  it("of neighbours are not correlated", () => {
    const chance = createChance("fixed");
    const count = 2000;
    for (let entity = 0; entity < 20; entity++) {
      const [one, other] = [chance.stream("c", entity), chance.stream("c", entity + 100)];
      const products = Array.from(
        { length: count },
        () => 12 * (one.float() - 0.5) * (other.float() - 0.5),
      );
      // The mean of products has a deviation of 1/sqrt(2000) = 0.022; this seed is fixed.
      expect(Math.abs(mean(products))).toBeLessThan(0.09);
    }
  });

  it.each([-1, 0.5, 2 ** 32, Number.NaN])("have no entity %d", (entity) => {
    expect(() => createChance("s").stream("a", entity)).toThrow("entity");
  });
});

describe("distributions", () => {
  it("keep their bits on every machine and version of Node", () => {
    const stream = createChance("golden").stream("bits", 7);
    expect([
      stream.uint32(),
      stream.float(),
      stream.int(1000),
      stream.exponential(1e6),
      stream.weibull(1e6, 0.7),
      stream.logNormal(100, 0.5),
      stream.normal(),
      stream.bernoulli(0.5),
    ]).toEqual([
      1543008529,
      0.7129950683082964,
      871,
      121359.91924645135,
      10778.217945495873,
      97.72045303686885,
      -0.5796939608002866,
      false,
    ]);
  });

  it("float takes the next two words, wherever in a block of four they are", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (isFloat) => {
        const words = createChance("fixed").stream("words");
        const stream = createChance("fixed").stream("words");
        for (const floats of isFloat) {
          const high = words.uint32();
          const expected = floats
            ? ((high >>> 5) * 2 ** 26 + (words.uint32() >>> 6)) * 2 ** -53
            : high;
          expect(floats ? stream.float() : stream.uint32()).toBe(expected);
        }
      }),
    );
  });

  it("float is even in [0, 1)", () => {
    const values = sample((stream) => stream.float());
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expectNear(mean(values), 0.5, 0.009);
    expectNear(moment(values, 2), 1 / 12, 0.003);
  });

  it("int is even, also where 2^32 is no multiple", () => {
    const counts = new Map<number, number>();
    for (const value of sample((stream) => stream.int(10))) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const expected = draws / 10;
    const chiSquare = [...counts.values()].reduce(
      (sum, n) => sum + (n - expected) ** 2 / expected,
      0,
    );
    // 9 degrees of freedom: above 28 comes once in a thousand seeds, and this seed is fixed.
    expect(chiSquare).toBeLessThan(28);
    const large = sample((stream) => stream.int(3 * 2 ** 30), 4000);
    // Without refusals a third of all would fall twice as often into the first third.
    expectNear(large.filter((value) => value < 2 ** 30).length / 4000, 1 / 3, 0.03);
  });

  it("exponential has its mean and as large a deviation", () => {
    const values = sample((stream) => stream.exponential(40));
    expect(values.every((value) => value >= 0)).toBe(true);
    expectNear(mean(values) / 40, 1, 0.03);
    expectNear(Math.sqrt(moment(values, 2)) / 40, 1, 0.05);
  });

  it("weibull has its median, and is exponential with shape 1", () => {
    const early = sample((stream) => stream.weibull(100, 0.5));
    expectNear(median(early), 100 * Math.LN2 ** 2, 4);
    const late = sample((stream) => stream.weibull(100, 3));
    expectNear(median(late), 100 * Math.LN2 ** (1 / 3), 1.4);
    const [one, other] = [createChance("s").stream("w"), createChance("s").stream("w")];
    for (let at = 0; at < 100; at++) {
      expect(one.weibull(50, 1)).toBeCloseTo(other.exponential(50), 9);
    }
  });

  it("logNormal has its median, and sigma 0 is the median itself", () => {
    expectNear(median(sample((stream) => stream.logNormal(30, 1))), 30, 1.1);
    expect(sample((stream) => stream.logNormal(30, 0), 5)).toEqual([30, 30, 30, 30, 30]);
  });

  it("normal has mean 0, deviation 1 and tails as heavy as they should be", () => {
    const values = sample((stream) => stream.normal());
    expectNear(mean(values), 0, 0.03);
    expectNear(moment(values, 2), 1, 0.04);
    expectNear(moment(values, 4), 3, 0.28);
  });

  it("bernoulli is true as often as it should, never at 0 and always at 1", () => {
    expectNear(mean(sample((stream) => (stream.bernoulli(0.3) ? 1 : 0))), 0.3, 0.013);
    expect(sample((stream) => (stream.bernoulli(0) ? 1 : 0), 500)).not.toContain(1);
    expect(sample((stream) => (stream.bernoulli(1) ? 1 : 0), 500)).not.toContain(0);
  });

  it.each<[string, (stream: ChanceStream) => unknown]>([
    ["a bound of 0", (stream) => stream.int(0)],
    ["a bound above 2^32", (stream) => stream.int(2 ** 32 + 1)],
    ["a negative mean", (stream) => stream.exponential(-1)],
    ["an endless mean", (stream) => stream.exponential(Infinity)],
    ["a shape of 0", (stream) => stream.weibull(1, 0)],
    ["a negative scale", (stream) => stream.weibull(-1, 1)],
    ["a negative deviation", (stream) => stream.logNormal(1, -1)],
    ["a negative median", (stream) => stream.logNormal(-1, 1)],
    ["a chance above 1", (stream) => stream.bernoulli(1.1)],
  ])("refuse %s", (_, draw) => {
    expect(() => draw(createChance("s").stream("a"))).toThrow();
  });
});
