import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  erf,
  erfc,
  exp,
  expm1,
  log,
  sigmoid,
  tanh,
} from "../../../../src/runtime/tensor/math/index.ts";
import {
  exactErf,
  exactErfc,
  exactExp,
  exactExpm1,
  exactLog,
  exactSigmoid,
  exactTanh,
  fixed,
  ulps,
} from "./exact.ts";

interface Case {
  readonly ours: (x: number) => number;
  readonly exact: (x: bigint, near: number) => bigint;
  readonly ulpsMax: number;
  /** Stretches that are interesting by themselves. */
  readonly stretches: readonly (readonly [number, number])[];
  readonly runs: number;
}

const cases: Readonly<Record<string, Case>> = {
  exp: {
    ours: exp,
    exact: exactExp,
    ulpsMax: 1,
    stretches: [
      [-745.2, 709.78],
      [-1, 1],
      [-20, 20],
      [-745.2, -708],
    ],
    runs: 600,
  },
  expm1: {
    ours: expm1,
    exact: exactExpm1,
    ulpsMax: 1.5,
    stretches: [
      [-45, 45],
      [-1, 1],
      [-1e-5, 1e-5],
      [30, 709],
    ],
    runs: 600,
  },
  log: {
    ours: log,
    exact: exactLog,
    ulpsMax: 1,
    stretches: [
      [0.5, 2],
      [0.99, 1.01],
      [Number.MIN_VALUE, 1e-300],
      [1, 1e300],
      [1e-320, 1e-308],
    ],
    runs: 600,
  },
  tanh: {
    ours: tanh,
    exact: exactTanh,
    ulpsMax: 2,
    stretches: [
      [-23, 23],
      [-1, 1],
    ],
    runs: 600,
  },
  sigmoid: {
    ours: sigmoid,
    exact: exactSigmoid,
    ulpsMax: 3,
    stretches: [
      [-700, 40],
      [-5, 5],
    ],
    runs: 600,
  },
  erf: {
    ours: erf,
    exact: exactErf,
    ulpsMax: 2,
    stretches: [
      [-6.5, 6.5],
      [-1.2, 1.2],
    ],
    runs: 400,
  },
  erfc: {
    ours: erfc,
    exact: exactErfc,
    ulpsMax: 4,
    stretches: [
      [-6, 6],
      [0.4, 1],
      [6, 26.5],
    ],
    runs: 100,
  },
};

describe.each(Object.entries(cases))("%s", (_, { ours, exact, ulpsMax, stretches, runs }) => {
  it(`stays within ${ulpsMax} ulp of the exact value`, () => {
    const ranges = stretches.map(([min, max]) => fc.double({ min, max, noNaN: true }));
    // fc.double favours the ends and tiny numbers; a fraction of the stretch spreads evenly.
    const even = stretches.map(([min, max]) =>
      fc.integer({ min: 0, max: 2 ** 30 }).map((part) => min + (max - min) * (part / 2 ** 30)),
    );
    fc.assert(
      fc.property(fc.oneof(...ranges, ...even, ...even), (x) => {
        const value = ours(x);
        expect(ulps(value, exact(fixed(x), value))).toBeLessThan(ulpsMax);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
});

describe("at the edges", () => {
  it.each<[string, (x: number) => number, readonly (readonly [number, number])[]]>([
    [
      "exp",
      exp,
      [
        [Infinity, Infinity],
        [-Infinity, 0],
        [0, 1],
        [-0, 1],
        [710, Infinity],
        [-746, 0],
      ],
    ],
    [
      "expm1",
      expm1,
      [
        [Infinity, Infinity],
        [-Infinity, -1],
        [0, 0],
        [-0, -0],
        [5e-324, 5e-324],
        [-1e3, -1],
      ],
    ],
    [
      "log",
      log,
      [
        [Infinity, Infinity],
        [0, -Infinity],
        [-0, -Infinity],
        [-1, Number.NaN],
        [1, 0],
      ],
    ],
    [
      "tanh",
      tanh,
      [
        [Infinity, 1],
        [-Infinity, -1],
        [0, 0],
        [-0, -0],
        [-5e-324, -5e-324],
        [30, 1],
      ],
    ],
    [
      "sigmoid",
      sigmoid,
      [
        [Infinity, 1],
        [-Infinity, 0],
        [0, 0.5],
        [-0, 0.5],
        [-800, 0],
      ],
    ],
    [
      "erf",
      erf,
      [
        [Infinity, 1],
        [-Infinity, -1],
        [0, 0],
        [-0, -0],
        [7, 1],
      ],
    ],
    [
      "erfc",
      erfc,
      [
        [Infinity, 0],
        [-Infinity, 2],
        [0, 1],
        [-0, 1],
        [28, 0],
        [-7, 2],
      ],
    ],
  ])("%s gives what its limits give, and NaN for NaN", (_, ours, table) => {
    expect(table.map(([x]) => ours(x))).toEqual(table.map(([, value]) => value));
    expect(ours(Number.NaN)).toBe(Number.NaN);
  });

  it.each(Object.entries(cases))("%s keeps its bits for ever", (name, { ours, stretches }) => {
    // Digests of random and trained tensors rest on these: a change here changes them all.
    const hash = createHash("sha256");
    for (const [min, max] of stretches) {
      const grid = Float64Array.from({ length: 1001 }, (_, at) => min + (max - min) * (at / 1000));
      hash.update(grid.map(ours));
    }
    expect(hash.digest("hex").slice(0, 16)).toBe(bitsOf[name]);
  });
});

const bitsOf: Readonly<Record<string, string>> = {
  exp: "ede16f6cbf0c875f",
  expm1: "65cd0dd0d2a32538",
  log: "bdc14a75510405f9",
  tanh: "e750f9b941c0e970",
  sigmoid: "2dd9f4a0641d269b",
  erf: "1dfe69bdd4d6a5e7",
  erfc: "928f4f87f24e83f7",
};
