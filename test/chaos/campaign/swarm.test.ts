import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canaryPlan,
  faultClasses,
  isInsideClaim,
  swarmPlan,
} from "../../../src/chaos/campaign/index.ts";
import { resolveParams } from "../../../src/chaos/fault/catalogue/index.ts";
import { readPlan } from "../../../src/chaos/journal/index.ts";
import { type ChaosPlan, defects } from "../../../src/chaos/plan/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import { lintTimeouts, timeoutsByName } from "../../../src/chaos/timeouts/index.ts";

const seeds = fc.string({ maxLength: 8 });
const indexes = fc.nat({ max: 1_000_000 });
const many = Array.from({ length: 400 }, (_, index) => swarmPlan("many", index));
const world = createSimWorld();

function faultsFit({ faults }: ChaosPlan): void {
  for (const { fault, params } of faults) expect(resolveParams(fault, params)).toEqual(params);
}

describe("a run of a campaign", () => {
  it("follows from seed and index alone, and another index gives another", () => {
    fc.assert(
      fc.property(seeds, indexes, (seed, index) => {
        expect(swarmPlan(seed, index)).toEqual(swarmPlan(seed, index));
        expect(swarmPlan(seed, index).plan.seed).not.toBe(swarmPlan(seed, index + 1).plan.seed);
      }),
      { numRuns: 40 },
    );
  });

  it("is a plan that can be written, read and run, with timeouts that fit together", () => {
    fc.assert(
      fc.property(seeds, indexes, (seed, index) => {
        const { plan } = swarmPlan(seed, index);
        const read = JSON.parse(JSON.stringify(plan)) as unknown;
        expect(read).toEqual(plan);
        expect(readPlan(read)).toEqual(plan);
        expect(world.refusals(plan)).toEqual([]);
        expect(lintTimeouts(timeoutsByName(plan.timeouts)).findings).toEqual([]);
        faultsFit(plan);
      }),
      { numRuns: 100 },
    );
  });

  it("is inside the claim exactly when it says so, unless it is hit too often", () => {
    for (const { kind, plan } of many) {
      if (kind === "inside") expect(isInsideClaim(plan)).toBe(true);
      if (kind !== "outside") continue;
      const { workload, faults } = plan;
      const isOften = workload.kind === "training" && workload.policy.restartsMax < faults.length;
      expect(isInsideClaim(plan)).toBe(isOften);
    }
  });

  it("is clean, inside or outside in about the shares that were meant", () => {
    const share = (kind: string): number =>
      many.filter((one) => one.kind === kind).length / many.length;
    expect(share("inside")).toBeGreaterThan(0.7);
    expect(share("outside")).toBeGreaterThan(0.08);
    expect(share("clean")).toBeGreaterThan(0.02);
    expect(many.every(({ kind, plan }) => (kind === "clean") === (plan.faults.length === 0))).toBe(
      true,
    );
  });

  it("meets every class of faults, every policy and every size over a campaign", () => {
    const met = new Set(many.flatMap(({ plan }) => plan.faults.map(({ fault }) => fault)));
    for (const { fault } of faultClasses) expect(met).toContain(fault);
    const policies = new Set<string>();
    const sizes = new Set<number>();
    for (const { plan } of many) {
      if (plan.workload.kind !== "training") continue;
      policies.add(plan.workload.policy.onFailure);
      const { dp, tp, pp } = plan.workload.shape;
      sizes.add(dp * tp * pp);
    }
    expect(policies.size).toBe(5);
    expect(sizes.size).toBeGreaterThan(4);
  });
});

describe("a canary", () => {
  it.each(defects)("has %s planted, and says so", (defect) => {
    const plan = canaryPlan("s", defect, 0);
    expect(plan.defects).toEqual([defect]);
    expect(plan.expect.claim).toBe("inside");
    expect(isInsideClaim(plan)).toBe(true);
    expect(world.refusals(plan)).toEqual([]);
    expect(canaryPlan("s", defect, 1)).not.toEqual(plan);
    faultsFit(plan);
  });
});
