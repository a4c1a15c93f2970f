import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/platform/errors/index.ts";
import {
  exitCodeOfVerdict,
  isHealthy,
  itemStatuses,
  verdictOfItems,
  verdicts,
  worstVerdict,
} from "../../src/platform/words.ts";

const runs = { seed: 20261115 };
const anyVerdicts = fc.array(fc.constantFrom(...verdicts), { maxLength: 12 });
const anyStatuses = fc.array(fc.constantFrom(...itemStatuses), { maxLength: 12 });

describe("worstVerdict", () => {
  it("is healthy exactly when there is something and all of it is healthy", () => {
    fc.assert(
      fc.property(anyVerdicts, (all) => {
        expect(isHealthy(worstVerdict(all))).toBe(all.length > 0 && all.every(isHealthy));
      }),
      runs,
    );
  });

  it("is one of the verdicts given, and does not depend on their order", () => {
    fc.assert(
      fc.property(anyVerdicts, (all) => {
        const worst = worstVerdict(all);
        expect(all.length === 0 ? ["unknown"] : all).toContain(worst);
        expect(worstVerdict(all.toReversed())).toBe(worst);
      }),
      runs,
    );
  });

  it("lets a failure outweigh what is unknown, and unknown outweigh suspicion", () => {
    expect(worstVerdict(["unknown", "fail", "pass"])).toBe("fail");
    expect(worstVerdict(["suspect", "unknown"])).toBe("unknown");
    expect(worstVerdict([])).toBe("unknown");
  });
});

describe("verdictOfItems", () => {
  it("never calls a list healthy because everything in it was skipped", () => {
    expect(verdictOfItems(["skipped", "skipped"])).toBe("unknown");
    expect(verdictOfItems([])).toBe("unknown");
  });

  it("ignores skips beside real verdicts", () => {
    fc.assert(
      fc.property(anyStatuses, (statuses) => {
        const decided = statuses.filter((status) => status !== "skipped");
        expect(verdictOfItems(statuses)).toBe(worstVerdict(decided));
      }),
      runs,
    );
  });
});

describe("exitCodeOfVerdict", () => {
  it("is 1 for a failure, 3 for what could not be decided, 0 for the rest", () => {
    expect(verdicts.map((verdict) => [verdict, exitCodeOfVerdict(verdict)])).toEqual([
      ["pass", exitCodes.good],
      ["warn", exitCodes.good],
      ["suspect", exitCodes.undecided],
      ["fail", exitCodes.failed],
      ["unknown", exitCodes.undecided],
    ]);
  });

  it("is 0 only for healthy verdicts", () => {
    for (const verdict of verdicts) {
      expect(exitCodeOfVerdict(verdict) === exitCodes.good).toBe(isHealthy(verdict));
    }
  });
});
