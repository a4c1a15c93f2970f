import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canaryPlan,
  faultClasses,
  isInsideClaim,
  swarmPlan,
} from "../../../src/chaos/campaign/index.ts";
import { losesOf } from "../../../src/chaos/campaign/swarm/index.ts";
import { resolveParams } from "../../../src/chaos/fault/catalogue/index.ts";
import type { FaultName } from "../../../src/chaos/fault/fault-names.ts";
import { readPlan } from "../../../src/chaos/journal/index.ts";
import {
  type ChaosPlan,
  defects,
  type FailurePolicy,
  type PlannedFault,
} from "../../../src/chaos/plan/index.ts";
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

describe("a link that flaps or loses packets", () => {
  const ms = 1000;
  const timeouts = { heartbeatEveryUs: 250 * ms, heartbeatUs: 1000 * ms, collectiveUs: 2500 * ms };
  const flap = (rank: number, durationUs: number | null, fault: FaultName): PlannedFault => ({
    id: `${fault} ${rank}`,
    fault,
    params: resolveParams(fault),
    targets: [{ kind: "cut", sides: [[rank]], asymmetric: false }],
    trigger: { kind: "step", step: 2 },
    durationUs,
  });
  /** Two replicas of one rank each. */
  const planWith = (onFailure: FailurePolicy, faults: readonly PlannedFault[]): ChaosPlan => {
    const { plan } = swarmPlan("flaps", 0);
    if (plan.workload.kind !== "training") throw new Error("swarms train");
    const { policy } = plan.workload;
    return {
      ...plan,
      timeouts: { ...plan.timeouts, ...timeouts },
      fleet: { nodes: 2, devicesPerNode: 1, nodesPerRack: 1, spareNodes: 0 },
      workload: {
        ...plan.workload,
        shape: { dp: 2, tp: 1, pp: 1 },
        policy: { ...policy, onFailure },
      },
      faults,
    };
  };
  const killed: PlannedFault = {
    ...flap(0, null, "kill_device"),
    targets: [{ kind: "rank", rank: 0 }],
  };

  it.each(["link_flap", "packet_loss"] as const)(
    "%s is nobody's loss while its rank is heard of in time, and that of its rank beyond",
    (name) => {
      const isInside = (...faults: readonly PlannedFault[]) =>
        isInsideClaim(planWith("shrink", faults));
      // The retransmission after 204 ms comes after 612 ms at the earliest, and 648 ms at the latest: with a
      // beat before, 898 ms. The one after 612 ms comes after 1,428 ms.
      expect(isInside(killed, flap(1, 612 * ms, name))).toBe(true);
      expect(isInside(killed, flap(1, 613 * ms, name))).toBe(false);
      expect(isInside(killed, flap(0, 613 * ms, name))).toBe(true);
      expect(isInside(flap(1, 613 * ms, name))).toBe(true);
    },
  );

  it.each([
    ["drainThenResume", 60_000 * ms, true],
    ["drainThenResume", null, false],
    ["failFast", 612 * ms, true],
    ["failFast", 613 * ms, false],
  ] as const)("under %s for %s us is inside the claim: %s", (onFailure, durationUs, isInside) => {
    const plan = planWith(onFailure, [flap(1, durationUs, "link_flap")]);
    expect(isInsideClaim(plan)).toBe(isInside);
  });

  it("counts the beat that was due before it as well", () => {
    const isInside = (heartbeatEveryUs: number) => {
      const plan = planWith("shrink", [killed, flap(1, 612 * ms, "link_flap")]);
      return isInsideClaim({ ...plan, timeouts: { ...plan.timeouts, heartbeatEveryUs } });
    };
    expect([isInside(351 * ms), isInside(352 * ms)]).toEqual([true, false]);
  });

  it("is drawn as a loss when it may be one", () => {
    const met = many.flatMap(({ plan }) =>
      plan.faults
        .filter(({ fault }) => fault === "link_flap" || fault === "packet_loss")
        .map((fault) => losesOf(fault, plan.timeouts)),
    );
    expect(new Set(met)).toEqual(new Set(["nobody", "rank"]));
    const shrinking = many.filter(
      ({ plan: { workload } }) =>
        workload.kind === "training" && workload.policy.onFailure === "shrink",
    );
    for (const { kind, plan } of shrinking) {
      const lost = plan.faults.filter((fault) => losesOf(fault, plan.timeouts) !== "nobody");
      if (kind === "inside") expect(lost.length).toBeLessThanOrEqual(1);
    }
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
