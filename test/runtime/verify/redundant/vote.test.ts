import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Breakage,
  breakDuring,
  distribute,
  Mesh,
  shardSpec,
} from "../../../../src/runtime/dist/index.ts";
import * as op from "../../../../src/runtime/op/index.ts";
import { randn } from "../../../../src/runtime/tensor/index.ts";
import { equal } from "../../../../src/runtime/verify/equality/index.ts";
import { countBallots } from "../../../../src/runtime/verify/redundant/ballots.ts";
import { vote } from "../../../../src/runtime/verify/redundant/index.ts";
import { voteOfAnswers } from "../../../../src/runtime/verify/redundant/vote-of-answers.ts";
import { thrownBy } from "../../dist/mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const columns = shardSpec({ partition: ["col"], meshAxes: ["tp"] });
const A = randn([5, 8], { seed: 1 });
const B = randn([8, 7], { seed: 2 });
const a = distribute(A, { mesh });
const b = distribute(B, { mesh, layout: columns });
const plain = op.matmul(A, B);

function flip(device: number, element = 0): Breakage {
  return { kind: "corrupt", device, element, bit: 20, when: "matmul" };
}

describe("vote on a mesh", () => {
  it("agrees on healthy devices, with the plain product's bits", () => {
    const found = vote(a, b);
    expect(found).toMatchObject({ verdict: "agreed", outvoted: [], independence: "other-device" });
    expect(equal(found.value, plain)).toBe(true);
  });

  it("names the one broken device, and still has the right value", () => {
    for (const device of mesh.devices) {
      const found = breakDuring(flip(Number(device)), () => vote(a, b, { devices: 3 }));
      expect(found.verdict).toBe("outvoted");
      expect(found.outvoted.map((one) => one.device)).toEqual([device]);
      expect(found.outvoted[0]?.ranks.length).toBe(3);
      expect(equal(found.value, plain)).toBe(true);
      expect(found.text).toContain(`device ${device} is outvoted`);
    }
  });

  it("is inconclusive where two of three are wrong in different ways, and has no value", () => {
    const found = breakDuring([flip(2, 0), flip(3, 1)], () => vote(a, b));
    expect(found.verdict).toBe("inconclusive");
    expect(found.value).toBeUndefined();
    expect(found.open.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(found.open[0]).toMatchObject({ devices: [1, 2, 3] });
    const five = breakDuring([flip(2, 0), flip(3, 1)], () => vote(a, b, { devices: 5 }));
    expect(new Set(five.outvoted.map(({ device }) => device))).toEqual(new Set([2, 3]));
    expect(equal(five.value, plain)).toBe(true);
  });

  it("cannot decide between two devices, and has nobody to ask with one", () => {
    const pair = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    const x = distribute(A, { mesh: pair });
    expect(vote(x, B).verdict).toBe("agreed");
    expect(breakDuring(flip(0), () => vote(x, B)).verdict).toBe("inconclusive");
    const single = new Mesh({ axes: ["dp"], shape: [1], devices: 1 });
    expect(vote(distribute(A, { mesh: single }), B).verdict).toBe("inconclusive");
  });

  it("refuses an even number of devices, and too few or too many", () => {
    for (const devices of [0, 1, 2, 4, 17, 3.5])
      thrownBy("E_VERIFY", () => vote(a, b, { devices }));
  });
});

describe("vote on the host", () => {
  it("agrees, whatever is multiplied", () => {
    for (const dtype of ["f32", "f64", "bf16"] as const) {
      const [x, y] = [A.to(dtype), B.to(dtype)];
      const found = vote(x, y);
      expect(found).toMatchObject({ verdict: "agreed", independence: "other-code" });
      expect(equal(found.value, op.matmul(x, y))).toBe(true);
    }
    expect(vote(A, B, { accumulate: "exact" }).verdict).toBe("agreed");
  });

  it("names the odd one, and lets go of what lost", () => {
    const freed: string[] = [];
    const voter = (device: string, answer: string) => ({
      device,
      compute: () => ({ device, digest: () => answer }),
    });
    const options = {
      devices: 3,
      independence: "other-code" as const,
      release: (value: { readonly device: string }) => void freed.push(value.device),
    };
    const odd = voteOfAnswers([voter("x", "1"), voter("y", "2"), voter("z", "1")], options);
    expect(odd).toMatchObject({ verdict: "outvoted", outvoted: [{ device: "y" }] });
    expect(odd.value?.device).toBe("x");
    expect(freed.toSorted()).toEqual(["y", "z"]);
    const all = voteOfAnswers([voter("x", "1"), voter("y", "2"), voter("z", "3")], options);
    expect(all).toMatchObject({ verdict: "inconclusive", outvoted: [] });
    expect(freed.length).toBe(5);
  });
});

describe("countBallots", () => {
  it("lets an answer win exactly when more than half of those asked gave it", () => {
    const answers = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(answers, fc.nat(3), (given, missing) => {
        const asked = given.length + missing;
        const outcome = countBallots(
          given.map((answer, device) => ({ device, answer })),
          asked,
        );
        const most = ["a", "b", "c"].find(
          (answer) => 2 * given.filter((one) => one === answer).length > asked,
        );
        if (outcome.verdict === "inconclusive") {
          expect(most).toBeUndefined();
        } else {
          expect(given[outcome.winner]).toBe(most);
          const losers = given.flatMap((answer, at) => (answer === most ? [] : [at]));
          expect(outcome.outvoted).toEqual(losers);
          expect(outcome.verdict).toBe(losers.length === 0 ? "agreed" : "outvoted");
        }
      }),
    );
  });

  it("counts a device that votes twice once, and one that contradicts itself not at all", () => {
    const twice = [0, 0, 1].map((device) => ({ device, answer: device === 0 ? "a" : "b" }));
    expect(countBallots(twice, 3).verdict).toBe("inconclusive");
    const torn = ["a", "b", "a"].map((answer) => ({ device: 0, answer }));
    expect(countBallots(torn, 3)).toMatchObject({ reason: "a device gave two answers" });
    const two = [
      { device: 5, answer: "a" },
      { device: "5", answer: "a" },
    ];
    expect(countBallots(two, 3).verdict).toBe("agreed");
  });
});
