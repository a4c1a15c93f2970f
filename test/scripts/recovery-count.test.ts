import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countRecoveries, recoveriesWanted } from "../../scripts/lib/recovery-count.ts";
import { type SwarmKind, swarmPlan } from "../../src/chaos/campaign/index.ts";
import type { Defect } from "../../src/chaos/plan/index.ts";
import type { ExperimentOutcome } from "../../src/platform/words.ts";
import { never, simTrial } from "../chaos/campaign/lib/run-part.ts";

interface Run {
  readonly index: number;
  readonly kind: SwarmKind;
  readonly outcome: ExperimentOutcome;
}

function runs(...outcomes: readonly ExperimentOutcome[]): readonly Run[] {
  return outcomes.map((outcome, index) => ({ index, kind: "inside", outcome }));
}

const passes = (count: number): readonly ExperimentOutcome[] =>
  Array.from({ length: count }, () => "pass" as const);

describe("recoveries in a row", () => {
  it("are 299 for 99 % at 95 % confidence, and one less is not enough", () => {
    expect(recoveriesWanted).toBe(299);
    const whole = countRecoveries(runs(...passes(299)));
    expect(whole.text).toBe("299 of 299 recovered: at least 99 % at 95 % confidence");
    const short = countRecoveries(runs(...passes(298)));
    expect(short.text).toBe("298 of 298 recovered: at least 98.9 % at 95 % confidence");
    expect(short.atLeast).toBeLessThan(0.99);
  });

  it("end with the first run that does not recover, whatever comes after it", () => {
    const count = countRecoveries(runs(...passes(58), "fail", ...passes(400)));
    expect(count).toMatchObject({ recovered: 58, runs: 59, failed: 58 });
    expect(count.text).toBe(
      "58 of 59 recovered, then run 58 did not: at least 92.2 % at 95 % confidence",
    );
  });

  it("leave out what nobody broke, what need not recover, and what was not decided", () => {
    const others: readonly Run[] = [
      { index: 0, kind: "clean", outcome: "pass" },
      { index: 1, kind: "outside", outcome: "fail" },
      { index: 2, kind: "inside", outcome: "inconclusive" },
    ];
    expect(countRecoveries(others)).toMatchObject({ recovered: 0, runs: 0, undecided: 1 });
    expect(countRecoveries(others).text).toBe("0 of 0 recovered: at least 0 % at 95 % confidence");
  });

  it("claim a share at which what was seen would be as rare as 5 %", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.boolean(), (recovered, hasFailed) => {
        const outcomes = [...passes(recovered), ...(hasFailed ? (["fail"] as const) : [])];
        const { atLeast: p, runs: n } = countRecoveries(runs(...outcomes), 401);
        const allOf = p ** n;
        const oneShort = n * p ** (n - 1) * (1 - p);
        expect(hasFailed ? allOf + oneShort : allOf).toBeCloseTo(0.05, 9);
      }),
    );
  });
});

describe("recoveries of simulated jobs", () => {
  const seed = "tessera";
  const trial = simTrial();

  async function carryOut(count: number, planted: readonly Defect[]): Promise<readonly Run[]> {
    const done: Run[] = [];
    for (let index = 0; index < count; index++) {
      const { kind, plan } = swarmPlan(seed, index);
      if (kind !== "inside") continue;
      const { judgement } = await trial({ ...plan, defects: planted }, never);
      done.push({ index, kind, outcome: judgement.outcome });
    }
    return done;
  }

  it("go on without a break, and stop early when a bug is planted in the recovery", async () => {
    const sound = countRecoveries(await carryOut(40, []));
    const broken = countRecoveries(await carryOut(40, ["cursorOffByOne"]));
    expect(sound).toMatchObject({ failed: null, recovered: sound.runs });
    expect(sound.recovered).toBeGreaterThan(20);
    expect(broken.failed).not.toBeNull();
    expect(broken.recovered).toBeLessThan(sound.recovered);
    expect(broken.atLeast).toBeLessThan(sound.atLeast);
    expect(broken.text).toMatch(/^\d+ of \d+ recovered, then run \d+ did not: at least /);
  });
});
