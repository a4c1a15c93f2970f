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
import { fromValues, randn } from "../../../../src/runtime/tensor/index.ts";
import {
  type Calibration,
  createCalibration,
} from "../../../../src/runtime/verify/calibration/index.ts";
import {
  checkAgreement,
  checkAllReduce,
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
  const calibration = createCalibration({ learnChecks: 6 });
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

  it("accuses both halves where they are of one size, and nobody where there is one rank", () => {
    const { plan } = setUp();
    const [x, y] = [inputOf(1).local(0), inputOf(2).local(0)];
    expect(checkAgreement([sumsOf(0, x, plan), sumsOf(3, y, plan)])).toMatchObject({
      verdict: "corrupt",
      ranks: [0, 3],
    });
    expect(checkAgreement([sumsOf(0, x, plan)]).verdict).toBe("inconclusive");
  });

  it("refuses tensors of another size than planned", () => {
    const { plan } = setUp();
    expect(() => sumsOf(0, randn([3]), plan)).toThrow("planned for 600");
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
