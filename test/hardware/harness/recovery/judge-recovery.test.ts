import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  judgeRecovery,
  type RecoveryFacts,
  wilsonInterval,
} from "../../../../src/hardware/harness/recovery/index.ts";

const times = { detect: 500, cordon: 800, drain: 2000, reschedule: 3000, serving: 9000 };

function facts(more: Partial<RecoveryFacts> = {}): RecoveryFacts {
  return {
    times,
    shares: {
      before: wilsonInterval(100, 100),
      during: wilsonInterval(0, 40),
      after: wilsonInterval(100, 100),
      unknown: { before: 0, during: 0, after: 0 },
      longestGapMs: 8000,
      longestGapMsMost: 8000,
      withoutServiceMs: 8000,
    },
    leftovers: [],
    ...more,
  };
}

function after(successes: number, trials: number, unknown = 0): RecoveryFacts {
  const { shares, ...rest } = facts();
  if (shares === null) throw new Error("there are shares");
  const unknowns = { ...shares.unknown, after: unknown };
  return {
    ...rest,
    shares: { ...shares, after: wilsonInterval(successes, trials), unknown: unknowns },
  };
}

describe("the judgement of a recovery", () => {
  it("passes what recovered and left nothing", () => {
    expect(judgeRecovery(facts()).outcome).toBe("pass");
  });

  it("fails a phase that was never seen", () => {
    const judged = judgeRecovery(facts({ times: { ...times, serving: null } }));
    expect(judged).toMatchObject({ outcome: "fail", reason: "serving: it was never seen" });
  });

  it("fails a phase that took too long, and passes it within its limit", () => {
    expect(judgeRecovery(facts(), { phaseLimitsMs: { cordon: 700 } }).outcome).toBe("fail");
    expect(judgeRecovery(facts(), { phaseLimitsMs: { cordon: 800 } }).outcome).toBe("pass");
  });

  it("asks for the lower end of the interval: three of five prove nothing", () => {
    expect(judgeRecovery(after(3, 5)).outcome).toBe("inconclusive");
    expect(judgeRecovery(after(5, 5)).outcome).toBe("inconclusive");
    expect(judgeRecovery(after(28, 30)).outcome).toBe("inconclusive");
    expect(judgeRecovery(after(20, 100)).outcome).toBe("fail");
  });

  it("passes only what passes with every request failed that could not be asked", () => {
    expect(judgeRecovery(after(200, 200, 5)).outcome).toBe("pass");
    const judged = judgeRecovery(after(200, 200, 60));
    expect(judged.outcome).toBe("inconclusive");
    expect(judged.reason).toContain("60 more could not be asked");
  });

  it("fails only what fails with every request well that could not be asked", () => {
    expect(judgeRecovery(after(20, 100, 10)).outcome).toBe("fail");
    expect(judgeRecovery(after(20, 100, 2000)).outcome).toBe("inconclusive");
  });

  it("never passes with more unknown, whatever else is so", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(300), (successes, failures, unknown) => {
        const trials = successes + failures;
        if (judgeRecovery(after(successes, trials, unknown)).outcome !== "pass") return;
        expect(judgeRecovery(after(successes, trials + unknown)).outcome).toBe("pass");
      }),
    );
  });

  it("proves nothing about a service that did not serve before", () => {
    const { shares, ...rest } = facts();
    if (shares === null) throw new Error("there are shares");
    const judged = judgeRecovery({
      ...rest,
      shares: { ...shares, before: wilsonInterval(10, 100) },
    });
    expect(judged.outcome).toBe("inconclusive");
    expect(judged.reason).toContain("service before");
  });

  it("fails whatever was not taken back", () => {
    const judged = judgeRecovery(facts({ leftovers: ["fault x is revert-failed"] }));
    expect(judged).toMatchObject({ outcome: "fail", reason: "restored: fault x is revert-failed" });
  });

  it("fails a cordon that should not have come, and passes without one", () => {
    const none = { ...times, cordon: null, detect: null, drain: null };
    expect(judgeRecovery(facts(), { phases: [] }).outcome).toBe("fail");
    expect(judgeRecovery(facts({ times: none }), { phases: [] }).outcome).toBe("pass");
  });

  it("proves nothing where the test could not be carried on, unless something failed too", () => {
    expect(judgeRecovery(facts({ problem: "interrupted" })).outcome).toBe("inconclusive");
    const both = facts({ problem: "interrupted", leftovers: ["x"] });
    expect(judgeRecovery(both).outcome).toBe("fail");
  });

  it("holds the longest time without service to its limit", () => {
    expect(judgeRecovery(facts(), { gapMsMax: 7999 }).outcome).toBe("fail");
    expect(judgeRecovery(facts(), { gapMsMax: 8000 }).outcome).toBe("pass");
  });

  it("does not know the longest time without service where nobody could ask meanwhile", () => {
    const { shares, ...rest } = facts();
    if (shares === null) throw new Error("there are shares");
    const dim = { ...rest, shares: { ...shares, longestGapMsMost: 12_000 } };
    expect(judgeRecovery(dim, { gapMsMax: 8000 }).outcome).toBe("inconclusive");
    expect(judgeRecovery(dim, { gapMsMax: 12_000 }).outcome).toBe("pass");
    expect(judgeRecovery(dim, { gapMsMax: 7999 }).outcome).toBe("fail");
  });
});
