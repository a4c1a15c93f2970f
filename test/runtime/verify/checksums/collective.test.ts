import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { allReduce } from "../../../../src/runtime/dist/collectives/index.ts";
import {
  type Breakage,
  breakDuring,
  type DistTensor,
  Mesh,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { fromValues, ops, randn, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import {
  type Calibration,
  createCalibration,
} from "../../../../src/runtime/verify/calibration/index.ts";
import {
  checkAgreement,
  checkAllReduce,
  checkLinear,
  planSums,
  rankTag,
  readRankTags,
  type SumPlan,
  sumsOf,
} from "../../../../src/runtime/verify/checksums/index.ts";

const ranks = 8;
const elements = 600;
const mesh = new Mesh({ axes: ["dp"], devices: ranks });

function inputOf(seed: number): DistTensor {
  let x = tensor([elements], { mesh, fill: 0 });
  for (let rank = 0; rank < ranks; rank++) {
    x = x.withLocal(rank, randn([elements], { seed, stream: rank }));
  }
  return x;
}

function setUp(): { readonly plan: SumPlan; readonly calibration: Calibration } {
  const plan = planSums(elements, createRng(1).stream("signs"), { blockElements: 256 });
  const calibration = createCalibration({ learnChecks: 6, learnLines: 18 });
  for (let seed = 50; seed < 60; seed++) judge(inputOf(seed), { plan, calibration });
  return { plan, calibration };
}

function judge(
  x: DistTensor,
  { plan, calibration }: { readonly plan: SumPlan; readonly calibration?: Calibration },
  broken?: Breakage,
) {
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  const y = broken === undefined ? allReduce(x) : breakDuring(broken, () => allReduce(x));
  return checkAllReduce({
    contributions: all.map((rank) => sumsOf(rank, x.local(rank), plan)),
    results: all.map((rank) => sumsOf(rank, y.local(rank), plan)),
    ...(calibration === undefined ? {} : { calibration }),
  });
}

const wrong = (bit: number, where: "contribution" | "output"): Breakage => ({
  kind: "corrupt",
  device: 5,
  element: 300,
  bit,
  where,
});

describe("the check of an all-reduce", () => {
  it("finds nothing wrong in right ones", () => {
    const given = setUp();
    for (let seed = 0; seed < 5; seed++) {
      expect(judge(inputOf(seed), given)).toMatchObject({
        verdict: "clean",
        linear: { verdict: "clean", ranks: [] },
        agreement: { verdict: "clean", ranks: [] },
      });
    }
  });

  it("sees by its sums what went wrong before all ranks got it, where their bits agree", () => {
    expect(judge(inputOf(1), setUp(), wrong(22, "contribution"))).toMatchObject({
      verdict: "corrupt",
      linear: { verdict: "corrupt", ranks: [0, 1, 2, 3, 4, 5, 6, 7], block: 1 },
      agreement: { verdict: "clean" },
    });
  });

  it("sees by bits what went wrong in one copy, where the sums take it for rounding", () => {
    expect(judge(inputOf(1), setUp(), wrong(0, "output"))).toMatchObject({
      verdict: "corrupt",
      linear: { verdict: "clean" },
      agreement: { verdict: "corrupt", ranks: [5] },
    });
  });

  it("names the rank by both where the error in its copy is large", () => {
    expect(judge(inputOf(1), setUp(), wrong(24, "output"))).toMatchObject({
      linear: { verdict: "corrupt", ranks: [5] },
      agreement: { verdict: "corrupt", ranks: [5] },
    });
  });

  it("is inconclusive without calibration, but knows what no rounding leaves", () => {
    const { plan } = setUp();
    expect(judge(inputOf(1), { plan })).toMatchObject({ verdict: "inconclusive" });
    for (const bit of [24, 30]) {
      const { linear } = judge(inputOf(1), { plan }, wrong(bit, "contribution"));
      expect(linear.verdict).toBe("corrupt");
    }
  });

  it("sees nothing of a contribution that was wrong before its sums were made", () => {
    const given = setUp();
    const x = inputOf(1);
    const spoilt = x.withLocal(5, ops.add(x.local(5), x.local(4)));
    expect(judge(spoilt, given).verdict).toBe("clean");
  });

  it("accuses both halves where they are of one size, and nobody where there is one rank", () => {
    const { plan } = setUp();
    const [x, y] = [inputOf(1).local(0), inputOf(2).local(0)];
    expect(checkAgreement([sumsOf(0, x, plan), sumsOf(3, y, plan)])).toMatchObject({
      verdict: "corrupt",
      ranks: [0, 3],
    });
    expect(checkAgreement([sumsOf(0, x, plan)]).verdict).toBe("inconclusive");
  });

  it("accuses all where no half of the ranks agrees", () => {
    const { plan } = setUp();
    const held = [1, 1, 1, 2, 2, 3, 3].map((seed, rank) =>
      sumsOf(rank, inputOf(seed).local(0), plan),
    );
    expect(checkAgreement(held).ranks).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(checkAgreement(held.slice(0, 5)).ranks).toEqual([3, 4]);
  });

  it("refuses tensors of another size than planned", () => {
    const { plan } = setUp();
    expect(() => sumsOf(0, randn([3]), plan)).toThrow("planned for 600");
  });
});

describe("numbers of a collective that are not usual", () => {
  const [count, blockElements] = [512, 256];
  const plan = planSums(count, createRng(2).stream("signs"), { blockElements });
  const partsOf = (seed: number, dtype: "f32" | "f16" | "f64" = "f32") =>
    Array.from({ length: ranks }, (_, rank) => randn([count], { seed, stream: rank, dtype }));
  const sumOf = (parts: readonly Tensor[]) => parts.reduce((sum, part) => ops.add(sum, part));
  const withValue = (x: Tensor, at: number, value: number) =>
    fromValues(x.toNumbers().with(at, value), { dtype: x.dtype });
  const sumsFor = (parts: readonly Tensor[], sum: Tensor) => ({
    contributions: parts.map((part, rank) => sumsOf(rank, part, plan)),
    results: [sumsOf(0, sum, plan)],
  });
  const linearOf = (parts: readonly Tensor[], sum: Tensor, calibration?: Calibration) =>
    checkLinear({ ...sumsFor(parts, sum), ...(calibration === undefined ? {} : { calibration }) });
  const usual = (["f32", "f16"] as const).map((dtype) =>
    Array.from({ length: 12 }, (_, at) => {
      const parts = partsOf(100 + at, dtype);
      return sumsFor(parts, sumOf(parts));
    }),
  );
  const learntFrom = (dtype: "f32" | "f16" = "f32") => {
    const calibration = createCalibration({ learnLines: 24 });
    for (const sums of usual[dtype === "f32" ? 0 : 1] ?? []) checkLinear({ ...sums, calibration });
    return calibration;
  };

  it("make its sums inconclusive, not corrupt: one huge number", () => {
    const calibration = learntFrom();
    const parts = partsOf(1).with(2, withValue(partsOf(1)[2] as Tensor, 7, 1e6));
    expect(linearOf(parts, sumOf(parts), calibration).verdict).toBe("inconclusive");
    const wrong = withValue(sumOf(partsOf(1)), 7, 50);
    expect(linearOf(partsOf(1), wrong, calibration).verdict).toBe("corrupt");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "make its sums inconclusive where a rank contributes %s, and corrupt where only the result has it",
    (value) => {
      const calibration = learntFrom();
      const parts = partsOf(1);
      const wild = parts.with(2, withValue(parts[2] as Tensor, 7, value));
      expect(linearOf(wild, sumOf(wild), calibration).verdict).toBe("inconclusive");
      // NaN and infinity do not vanish in a sum.
      expect(linearOf(wild, sumOf(parts), calibration).verdict).toBe("corrupt");
      const wrong = withValue(sumOf(parts), 7, value);
      expect(linearOf(parts, wrong, calibration)).toMatchObject({ verdict: "corrupt", block: 0 });
      expect(linearOf(parts, sumOf(parts), calibration).verdict).toBe("clean");
    },
  );

  it("make its sums inconclusive where they may have overflowed", () => {
    const calibration = learntFrom("f16");
    const parts = partsOf(1, "f16").map((part) => withValue(part, 300, 4e4));
    expect(sumOf(parts).at(300)).toBe(Number.POSITIVE_INFINITY);
    expect(linearOf(parts, sumOf(parts), calibration).verdict).toBe("inconclusive");
  });

  it("are added exactly where they are whole: an error of one is corrupt without calibration", () => {
    const values = Array.from({ length: count }, (_, at) => 2 ** 24 + 1 + 2 * at);
    const parts = Array.from({ length: 3 }, () => fromValues(values, { dtype: "i32" }));
    const sum = fromValues(
      values.map((value) => 3 * value),
      { dtype: "i32" },
    );
    expect(linearOf(parts, sum).verdict).toBe("inconclusive");
    const wrong = withValue(sum, 400, 3 * (values[400] as number) + 1);
    expect(linearOf(parts, wrong)).toMatchObject({ verdict: "corrupt", block: 1 });
  });

  it("in f64 are not called corrupt for the rounding of the checksums", () => {
    for (let seed = 0; seed < 40; seed++) {
      const parts = partsOf(seed, "f64").slice(0, 2);
      expect(linearOf(parts, sumOf(parts)).verdict).toBe("inconclusive");
    }
  });
});

describe("rank tags", () => {
  it("name every rank that is lost or counts twice or thrice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 80 }),
        (times) => {
          const sum = new Float32Array(Math.ceil(times.length / 12));
          for (const [rank, count] of times.entries()) {
            for (const [at, value] of rankTag(rank, times.length).entries()) {
              sum[at] = (sum[at] as number) + count * value;
            }
          }
          const { lost, repeated, strange } = readRankTags(sum, times.length);
          expect(strange).toEqual([]);
          expect(lost).toEqual([...times.keys()].filter((rank) => times[rank] === 0));
          expect(repeated.map(({ rank }) => rank)).toEqual(
            [...times.keys()].filter((rank) => (times[rank] ?? 0) > 1),
          );
        },
      ),
    );
  });

  it("come through a real all-reduce: one lost beside one doubled does not pass", () => {
    let x = tensor([1], { mesh, fill: 0 });
    for (let rank = 0; rank < ranks; rank++)
      x = x.withLocal(rank, fromValues(rankTag(rank, ranks)));
    const right = allReduce(x).local(0).toNumbers();
    expect(readRankTags(right, ranks)).toEqual({ lost: [], repeated: [], strange: [] });
    const bad = allReduce(x.withLocal(3, fromValues(rankTag(6, ranks))))
      .local(0)
      .toNumbers();
    expect(readRankTags(bad, ranks)).toEqual({
      lost: [3],
      repeated: [{ rank: 6, times: 2 }],
      strange: [],
    });
  });

  it("call strange what is no sum of tags", () => {
    expect(readRankTags([1.5], 2).strange).toEqual([0]);
    expect(readRankTags([-1], 2).strange).toEqual([0]);
    expect(readRankTags([16], 2).strange).toEqual([0]);
    expect(readRankTags([5], 2).strange).toEqual([]);
  });
});
