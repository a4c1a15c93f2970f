import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRecovery, type Situation } from "../../../src/chaos/elastic/recovery-decision.ts";
import { replicasThatDivide } from "../../../src/chaos/elastic/replicas.ts";
import { type FailurePolicy, failurePolicies } from "../../../src/chaos/plan/index.ts";

function situation(
  onFailure: FailurePolicy,
  given: Partial<Situation> & { readonly restartsMax?: number } = {},
): Situation {
  const { restartsMax = 3, lost = [3], ...more } = given;
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
    lost,
    gone: lost,
    spares: [],
    benched: [],
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

  it("shrink gives up no last replica for a suspicion, and starts it again without who is gone", () => {
    const lost = [0, 3, 5, 6];
    expect(decideRecovery(situation("shrink", { lost, gone: [] }))).toEqual({
      kind: "go-on",
      shape: { dp: 4, tp: 1, pp: 2 },
      slots: [0, 1, 2, 3, 4, 5, 6, 7],
    });
    expect(decideRecovery(situation("shrink", { lost, gone: [5] }))).toEqual({
      kind: "go-on",
      shape: { dp: 3, tp: 1, pp: 2 },
      slots: [0, 1, 2, 3, 6, 7],
    });
  });

  it("shrink takes back what was done without for a suspicion, as many as divide, when all is gone", () => {
    const given = {
      lost: [0, 3, 5, 6],
      benched: [
        [8, 9],
        [12, 13],
        [10, 11],
      ],
    };
    expect(decideRecovery(situation("shrink", given))).toMatchObject({
      shape: { dp: 3 },
      slots: [8, 9, 12, 13, 10, 11],
    });
    const batch = { samples: 4, microBatches: 1 };
    expect(decideRecovery(situation("shrink", { ...given, batch }))).toMatchObject({
      shape: { dp: 2 },
      slots: [8, 9, 12, 13],
    });
    const left = { lost: [0, 3], benched: [[8, 9]] };
    expect(decideRecovery(situation("shrink", left))).toMatchObject({ slots: [4, 5, 6, 7] });
  });

  it("shrink does without a suspect while another replica is whole", () => {
    const decision = decideRecovery(situation("shrink", { lost: [0, 3, 5], gone: [] }));
    expect(decision).toMatchObject({ shape: { dp: 1 }, slots: [6, 7] });
  });

  it("spare starts a suspect again in its place where the spares are too few for all", () => {
    const given = { lost: [1, 3], spares: [9] };
    expect(decideRecovery(situation("spare", { ...given, gone: [3] }))).toMatchObject({
      kind: "go-on",
      slots: [0, 1, 2, 9, 4, 5, 6, 7],
    });
    expect(
      decideRecovery(situation("spare", { ...given, gone: [3], spares: [9, 8] })),
    ).toMatchObject({
      slots: [0, 9, 2, 8, 4, 5, 6, 7],
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

  it("never goes on with a slot of who is gone, a slot twice, or a batch that does not divide", () => {
    const policies = failurePolicies.filter((policy) => policy === "spare" || policy === "shrink");
    const anySituation = fc.record({
      policy: fc.constantFrom(...policies),
      lost: fc.uniqueArray(fc.nat(7), { minLength: 1 }),
      surely: fc.uniqueArray(fc.nat(7)),
      spares: fc.uniqueArray(fc.integer({ min: 8, max: 20 })),
      samples: fc.constantFrom(1, 4, 6, 8, 12, 24),
    });
    fc.assert(
      fc.property(anySituation, ({ policy, lost, surely, spares, samples }) => {
        const batch = { samples, microBatches: 1 };
        const gone = lost.filter((rank) => surely.includes(rank));
        const decision = decideRecovery(situation(policy, { lost, gone, spares, batch }));
        if (decision.kind !== "go-on") return;
        const { shape, slots } = decision;
        expect(slots.some((slot) => gone.includes(slot))).toBe(false);
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
