import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CampaignWorker,
  campaignResult,
  joinParts,
  makeReproducers,
  swarmPlan,
} from "../../../src/chaos/campaign/index.ts";
import type { Trial } from "../../../src/chaos/journal/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { fakeRun, fakeTrial, honest } from "./lib/fake-trial.ts";
import { inline, never, runPart } from "./lib/run-part.ts";

/** Fails in two ways and is undecided now and then, as its seed has it. */
const mixed = fakeTrial(({ defects, seed }) => {
  if (defects.length > 0) return { outcome: "fail", signature: `planted ${defects.join()}` };
  const number = Number(seed.split("/").at(-1));
  if (number % 7 === 3) return { outcome: "fail", signature: number % 2 === 0 ? "even" : "odd" };
  return { outcome: number % 11 === 5 ? "inconclusive" : "pass", traceHash: String(number) };
});

/** Answers after others, by a rule that has nothing to do with the order of asking. */
function slow(trial: Trial, salt: number): CampaignWorker {
  const worker = inline(trial);
  return {
    ...worker,
    carryOut: async (order) => {
      const turns = order.kind === "swarm" ? (order.index * 7 + salt) % 5 : salt % 3;
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      return worker.carryOut(order);
    },
  };
}

describe("a campaign", () => {
  it("finds the same with any number of workers", async () => {
    const one = await runPart([0, 25], [inline(mixed)]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 2, maxLength: 6 }), async (salts) => {
        const part = await runPart(
          [0, 25],
          salts.map((salt) => slow(mixed, salt)),
        );
        expect(part).toEqual(one);
      }),
      { numRuns: 6 },
    );
  });

  it("cut into stretches and joined is the whole", async () => {
    const whole = await runPart([0, 30], [inline(mixed)]);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 29 }), { maxLength: 4 }),
        async (cuts) => {
          const ends = [0, ...cuts.toSorted((a, b) => a - b), 30];
          const parts = [];
          for (const [at, from] of ends.slice(0, -1).entries()) {
            parts.push(await runPart([from, ends[at + 1] ?? 30], [inline(mixed)]));
          }
          const joined = joinParts(parts.toReversed());
          expect(joined).toEqual(whole);
          expect(campaignResult(joined)).toEqual(campaignResult(whole));
        },
      ),
      { numRuns: 6 },
    );
  });

  it("joins a stretch that was run twice, and refuses one that came out otherwise", async () => {
    const [early, late] = [
      await runPart([0, 10], [inline(mixed)]),
      await runPart([5, 15], [inline(mixed)]),
    ];
    expect(joinParts([early, late]).runs.map(({ index }) => index)).toEqual(
      Array.from({ length: 15 }, (_, index) => index),
    );
    const other = { ...late, runs: late.runs.map((run) => ({ ...run, reason: "otherwise" })) };
    expect(() => joinParts([early, other])).toThrow("disagree");
    expect(() => joinParts([early, { ...late, seed: "u" }])).toThrow("one seed");
  });

  it("counts distinct ways to fail, with the first run of each", async () => {
    const { signatures, outcome, counts } = campaignResult(await runPart([0, 40], [inline(mixed)]));
    expect(outcome).toBe("fail");
    // 3, 10, 17, 24, 31, 38 fail.
    expect(
      signatures.map(({ signature, count, firstIndex }) => [signature, count, firstIndex]),
    ).toEqual([
      ["odd", 3, 3],
      ["even", 3, 10],
    ]);
    expect(counts.inside.fail + counts.outside.fail + counts.clean.fail).toBe(6);
  });

  it("starts no run after its time is up, and always makes one", async () => {
    const clock = new VirtualClock();
    const ticking: Trial = async (plan) => {
      await clock.advance(1000);
      return fakeRun(plan, { outcome: plan.defects.length > 0 ? "fail" : "pass" });
    };
    const part = await runPart([0, 1000], [inline(ticking)], { clock, timeBoxMs: 5000 });
    expect(part.runs.length).toBeGreaterThanOrEqual(4);
    expect(part.runs.length).toBeLessThanOrEqual(6);
    const [only] = (await runPart([7, 1000], [inline(ticking)], { clock, timeBoxMs: 1 })).runs;
    expect(only?.index).toBe(7);
  });

  it("fails when a planted bug is not found, though every run passed", async () => {
    const blind = fakeTrial(({ defects }) => ({
      outcome: defects.includes("lostUndo") || defects.length === 0 ? "pass" : "fail",
    }));
    const result = campaignResult(await runPart([0, 10], [inline(blind)]));
    expect(result.outcome).toBe("fail");
    expect(result.reason).toContain("lostUndo");
    expect(result.canaries.filter(({ found }) => !found)).toHaveLength(1);
    expect(campaignResult(await runPart([0, 10], [inline(honest)])).outcome).toBe("pass");
  });

  it("fails when a run comes out otherwise the second time", async () => {
    let runs = 0;
    const random = fakeTrial(({ defects }) => ({
      outcome: defects.length > 0 ? "fail" : "pass",
      traceHash: String(runs++),
    }));
    const result = campaignResult(await runPart([0, 21], [inline(random)]));
    expect(result.determinism).toEqual({ checked: 3, differed: [0, 10, 20] });
    expect(result.outcome).toBe("fail");
    const same = campaignResult(await runPart([0, 21], [inline(honest)]));
    expect(same.determinism).toEqual({ checked: 3, differed: [] });
  });

  it("proves nothing when no run inside the claim was decided", async () => {
    const undecided = fakeTrial(({ defects }) => ({
      outcome: defects.length > 0 ? "fail" : "inconclusive",
    }));
    expect(campaignResult(await runPart([0, 10], [inline(undecided)])).outcome).toBe(
      "inconclusive",
    );
  });

  it("passes on what a worker throws, and stops", async () => {
    let runs = 0;
    const broken: Trial = async (plan) => {
      if (plan.defects.length > 0) return fakeRun(plan, { outcome: "fail" });
      if (++runs === 4) throw new Error("the simulator broke");
      return fakeRun(plan, { outcome: "pass" });
    };
    await expect(runPart([0, 1000], [inline(broken)])).rejects.toThrow("the simulator broke");
    expect(runs).toBeLessThan(10);
  });

  it("makes the first run of each way to fail smaller, and fails the same way", async () => {
    const needsTwo = fakeTrial(({ defects, faults }) => {
      if (defects.length > 0) return { outcome: "fail", signature: "planted" };
      return faults.length >= 2 ? { outcome: "fail", signature: "two" } : { outcome: "pass" };
    });
    const part = await runPart([0, 60], [inline(needsTwo)]);
    const { signatures, canaries } = await makeReproducers(part, {
      workers: [inline(needsTwo), inline(needsTwo)],
      signal: never,
    });
    expect(signatures.get("two")).toMatchObject({ outcome: "minimised", faults: 2 });
    expect(canaries.size).toBe(4);
    expect(canaries.get("lostUndo")).toMatchObject({ faults: 0, ranks: 1 });
    const first = part.runs.find(({ signature }) => signature === "two");
    expect(swarmPlan("t", first?.index ?? -1).plan.faults.length).toBeGreaterThanOrEqual(2);
  });
});

describe("recoveries in a row", () => {
  it("prove 99 % at 95 % from 299 on", async () => {
    const part = await runPart([0, 50], [inline(honest)]);
    const { streak, counts } = campaignResult(part);
    expect(streak.current).toBe(counts.inside.pass);
    const [run] = part.runs.filter(({ kind }) => kind === "inside");
    const of = (count: number) =>
      campaignResult({ ...part, runs: Array.from({ length: count }, () => run ?? never) as never })
        .streak.provenRate;
    expect(of(299)).toBeGreaterThanOrEqual(0.99);
    expect(of(298)).toBeLessThan(0.99);
  });

  it("begin again after a failure; what was undecided, and runs outside, do not count", async () => {
    const part = await runPart([0, 1], [inline(honest)]);
    const [run] = part.runs;
    if (run === undefined) throw new Error("there is a run");
    const runs = (
      [
        ["inside", "pass"],
        ["inside", "pass"],
        ["inside", "inconclusive"],
        ["inside", "pass"],
        ["inside", "fail"],
        ["outside", "pass"],
        ["inside", "pass"],
        ["clean", "pass"],
      ] as const
    ).map(([kind, outcome], index) => ({ ...run, index, kind, outcome }));
    const { streak } = campaignResult({ ...part, runs });
    expect(streak).toMatchObject({ longest: 3, current: 1 });
  });
});

describe("coverage", () => {
  it("names what was never seen, and counts what was", async () => {
    const { coverage } = campaignResult(await runPart([0, 30], [inline(honest)]));
    expect(coverage.marks["gave up"]).toBe(30);
    expect(coverage.holes).toContain("never seen: restore fell back twice");
    expect(coverage.holes).not.toContain("never seen: gave up");
    const met = Object.entries(coverage.faults).filter(([, { withEffect }]) => withEffect > 0);
    expect(met.length).toBeGreaterThan(3);
  });
});
