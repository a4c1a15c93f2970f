import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRecovery, type Situation } from "../../../src/chaos/elastic/recovery-decision.ts";
import { replicasThatDivide } from "../../../src/chaos/elastic/replicas.ts";
import { type FailurePolicy, failurePolicies } from "../../../src/chaos/plan/index.ts";

function situation(
  onFailure: FailurePolicy,
  given: Partial<Situation> & { readonly restartsMax?: number } = {},
): Situation {
  const { restartsMax = 3, ...more } = given;
  return {
    policy: {
      onFailure,
      restartsMax,
      resumeAfterUs: null,
      onPreempt: { action: "checkpointThenExit", graceUs: 1 },
      compareEverySteps: 0,
    },
    restarts: 0,
    shape: { dp: 4, tp: 1, pp: 2 },
    slots: [0, 1, 2, 3, 4, 5, 6, 7],
    lost: [3],
    spares: [],
    batch: { samples: 12, microBatches: 1 },
    reason: "rank 3 ended",
    isResumed: false,
    ...more,
  };
}

describe("after a loss", () => {
  it("failFast gives up, whatever is left", () => {
    expect(decideRecovery(situation("failFast", { spares: [8] }))).toEqual({
      kind: "give-up",
      reason: "failFast: rank 3 ended",
    });
  });

  it.each(["drainThenResume", "pauseForManual", "shrink", "spare"] as const)(
    "%s gives up when no recovery is left, and not before",
    (policy) => {
      const given = { spares: [8, 9], isResumed: true };
      const last = decideRecovery(situation(policy, { ...given, restarts: 2 }));
      const over = decideRecovery(situation(policy, { ...given, restarts: 3 }));
      expect(last.kind).toBe("go-on");
      expect(over).toEqual({
        kind: "give-up",
        reason: "3 recoveries are all that is allowed: rank 3 ended",
      });
    },
  );

  it("drainThenResume goes on in the same slots", () => {
    const { shape, slots } = situation("drainThenResume");
    expect(decideRecovery(situation("drainThenResume"))).toEqual({ kind: "go-on", shape, slots });
  });

  it("pauseForManual waits for a person, and goes on in the same slots after", () => {
    expect(decideRecovery(situation("pauseForManual")).kind).toBe("pause");
    expect(decideRecovery(situation("pauseForManual", { isResumed: true }))).toMatchObject({
      kind: "go-on",
      slots: [0, 1, 2, 3, 4, 5, 6, 7],
    });
  });

  it("spare puts the first spares in the places of the lost", () => {
    expect(decideRecovery(situation("spare", { lost: [1, 3], spares: [9, 8, 10] }))).toMatchObject({
      kind: "go-on",
      slots: [0, 9, 2, 8, 4, 5, 6, 7],
    });
  });

  it("spare gives up when there are too few", () => {
    expect(decideRecovery(situation("spare", { lost: [1, 3], spares: [9] }))).toEqual({
      kind: "give-up",
      reason: "only 1 of the spares are left for 2 lost: rank 3 ended",
    });
    expect(decideRecovery(situation("spare")).kind).toBe("give-up");
  });

  it("shrink drops the whole replica of what was lost, and renumbers", () => {
    expect(decideRecovery(situation("shrink"))).toEqual({
      kind: "go-on",
      shape: { dp: 3, tp: 1, pp: 2 },
      slots: [0, 1, 4, 5, 6, 7],
    });
  });

  it("shrink drops more until the batch divides", () => {
    const given = { batch: { samples: 8, microBatches: 1 } };
    expect(decideRecovery(situation("shrink", given))).toEqual({
      kind: "go-on",
      shape: { dp: 2, tp: 1, pp: 2 },
      slots: [0, 1, 4, 5],
    });
  });

  it("shrink gives up without a whole replica", () => {
    expect(decideRecovery(situation("shrink", { lost: [0, 3, 5, 6] }))).toEqual({
      kind: "give-up",
      reason: "no whole replica is left: rank 3 ended",
    });
  });

  it.each(["drainThenResume", "shrink", "spare"] as const)(
    "%s goes on with the same when nobody was lost",
    (policy) => {
      const { shape, slots } = situation(policy);
      expect(decideRecovery(situation(policy, { lost: [] }))).toEqual({
        kind: "go-on",
        shape,
        slots,
      });
    },
  );

  it("never goes on with a lost slot in place, a slot twice, or a batch that does not divide", () => {
    const policies = failurePolicies.filter((policy) => policy === "spare" || policy === "shrink");
    const anySituation = fc.record({
      policy: fc.constantFrom(...policies),
      lost: fc.uniqueArray(fc.nat(7), { minLength: 1 }),
      spares: fc.uniqueArray(fc.integer({ min: 8, max: 20 })),
      samples: fc.constantFrom(1, 4, 6, 8, 12, 24),
    });
    fc.assert(
      fc.property(anySituation, ({ policy, lost, spares, samples }) => {
        const batch = { samples, microBatches: 1 };
        const decision = decideRecovery(situation(policy, { lost, spares, batch }));
        if (decision.kind !== "go-on") return;
        const { shape, slots } = decision;
        expect(slots.some((slot) => lost.includes(slot))).toBe(false);
        expect(new Set(slots).size).toBe(shape.dp * shape.pp * shape.tp);
        if (policy === "shrink") expect(samples % shape.dp).toBe(0);
      }),
    );
  });

  it("counts replicas down to one that cuts the batch, with its parts", () => {
    expect(replicasThatDivide(3, { samples: 8, microBatches: 2 })).toBe(2);
    expect(replicasThatDivide(3, { samples: 8, microBatches: 3 })).toBe(0);
    expect(replicasThatDivide(0, { samples: 8, microBatches: 1 })).toBe(0);
  });
});
