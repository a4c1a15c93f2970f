import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitForms } from "../../../../src/runtime/dist/time-model/calibrate/fit-form.ts";
import { nonNegativeLeastSquares } from "../../../../src/runtime/dist/time-model/calibrate/nnls.ts";
import { weigh } from "../../../../src/runtime/dist/time-model/forms/form.ts";
import { ringForm } from "../../../../src/runtime/dist/time-model/forms/ring.ts";
import { libraryChoice } from "../../../../src/runtime/dist/time-model/library-choice.ts";
import { joinPieces } from "../../../../src/runtime/dist/time-model/piecewise.ts";
import { miB } from "./support.ts";

describe("the fit", () => {
  test("finds the weights a curve was made with, in spite of a spike", () => {
    const form = ringForm("ll128", "move");
    const truth = { launchUs: 16, hopUs: 1.9, "move.usPerMBFrom1024KiB": 1.7 };
    const timeOf = weigh(form, truth);
    const samples = [8, 16, 36, 72].flatMap((devices) =>
      [1, 2, 4, 8, 16, 32].map((size) => ({ devices, bytes: size * devices * 0.5 * miB })),
    );
    const points = samples.map((sample, index) => ({
      ...sample,
      timeUs: timeOf(sample) * (index === 7 ? 2 : 1),
    }));
    const fitted = weigh(form, fitForms([{ form, points }]) ?? {});
    for (const sample of samples) expect(fitted(sample) / timeOf(sample)).toBeCloseTo(1, 2);
  });

  test("no point gives no weights", () => {
    expect(fitForms([{ form: ringForm("ll", "both"), points: [] }])).toBeUndefined();
  });

  test("weights are never negative, and no other weights of at least 0 come closer", () => {
    const matrix = fc.array(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 3 }),
      {
        minLength: 4,
        maxLength: 8,
      },
    );
    const steps = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        matrix,
        fc.infiniteStream(fc.integer({ min: -9, max: 9 })),
        steps,
        (rows, more, other) => {
          const targets = rows.map(() => more.next().value as number);
          const distance = (x: readonly number[]) =>
            rows.reduce((sum, row, i) => {
              const miss = row.reduce((s, v, j) => s + v * (x[j] ?? 0), 0) - (targets[i] ?? 0);
              return sum + miss * miss;
            }, 0);
          const found = nonNegativeLeastSquares(rows, targets);
          for (const value of found) expect(value).toBeGreaterThanOrEqual(0);
          expect(distance(found)).toBeLessThanOrEqual(distance(other) + 1e-6);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the library's choice", () => {
  const protocols = (op: Parameters<typeof libraryChoice>[0]["op"], devices: number) =>
    libraryChoice({ op, devices }).map(({ protocol }) => protocol);

  test("large groups gather on rings, groups that fit the switch's heads in the switch", () => {
    expect(protocols("all-gather", 72)).toEqual(["ll", "ll128", "simple"]);
    expect(protocols("all-gather", 32)[0]).toBe("nvls");
    expect(protocols("all-reduce", 72)).toEqual(["nvls"]);
    expect(protocols("all-reduce", 8)).toEqual(["ll", "nvls"]);
  });

  test("changes come in order of size, the first at 0", () => {
    for (let devices = 2; devices <= 72; devices++) {
      const sizes = libraryChoice({ op: "reduce-scatter", devices }).map((one) => one.fromBytes);
      expect(sizes[0]).toBe(0);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    }
  });
});

describe("a curve in pieces", () => {
  const pieces = [
    { fromBytes: 0, timeUs: (bytes: number) => 10 + bytes },
    { fromBytes: 30, timeUs: (bytes: number) => 5 + bytes / 6 },
  ];

  test("runs level where the next piece would be faster at once", () => {
    const timeUs = joinPieces(pieces);
    const level = Math.sqrt(40 * 10);
    expect(timeUs(0)).toBe(10);
    expect(timeUs(29)).toBeCloseTo(level);
    expect(timeUs(31)).toBeCloseTo(level);
    expect(timeUs(600)).toBe(105);
  });

  test("rises at once where the next piece is slower", () => {
    const [first, second] = pieces
      .toReversed()
      .map((piece, index) => ({ ...piece, fromBytes: 30 * index }));
    const timeUs = joinPieces([first, second].filter((piece) => piece !== undefined));
    expect(timeUs(29)).toBeCloseTo(5 + 29 / 6);
    expect(timeUs(30)).toBe(40);
  });
});
