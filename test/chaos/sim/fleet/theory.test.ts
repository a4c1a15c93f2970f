import { describe, expect, it } from "vitest";
import { type FailureModel, withChanges } from "../../../../src/chaos/failure-model/index.ts";
import { simulateFleetJob } from "../../../../src/chaos/sim/fleet/index.ts";
import { jobMtbfS, timeSplit } from "../../../../src/runtime/planning/index.ts";
import { day, llama3, second, smallJob } from "./lib.ts";

const perThousand = 3.79;

/** Failures without memory that end a process and need no repair, and nothing else. */
const forgetful: FailureModel = {
  ...withChanges(llama3, {
    "hardware.perThousandNodeDays": perThousand,
    "lemons.share": 0,
    "lemons.growth": 1,
    "repair.drainShare": 0,
    "stragglers.perThousandNodeDays": 0,
    "software.perJobDay": 0,
    "software.plannedPerJobDay": 0,
  }),
  causes: llama3.causes.map((cause) => ({ ...cause, sign: "crash" })),
};

const jobs = [
  { nodes: 2048, blockingS: 60, writeS: 60, restartS: 600, detectS: 0, intervalS: 1115 },
  { nodes: 2048, blockingS: 5, writeS: 120, restartS: 180, detectS: 30, intervalS: 500 },
  { nodes: 16_384, blockingS: 5, writeS: 5, restartS: 180, detectS: 20, intervalS: 85 },
];

describe("a fleet of failures without memory", () => {
  it.each(jobs)("has the exact form's ETTR: %j", (asked) => {
    const { nodes, blockingS, writeS, restartS, detectS, intervalS } = asked;
    const horizonUs = (2048 / nodes) * 700 * day;
    const { shares, failures, traceHash } = simulateFleetJob({
      model: forgetful,
      seed: "theory",
      horizonUs,
      job: {
        ...smallJob,
        nodes,
        stepUs: 5 * second,
        checkpoint: {
          everySteps: intervalS / 5,
          keep: 2,
          blockingUs: blockingS * second,
          writeUs: writeS * second,
        },
        detectUs: { crash: detectS * second, hang: 0 },
        restartUs: restartS * second,
      },
    });
    const mtbfS = jobMtbfS(perThousand / 1000, nodes);
    const exact = timeSplit({ mtbfS, blockingS, writeS, restartS, detectS }, intervalS);
    expect(shares.productive / exact.productive).toBeGreaterThan(0.995);
    expect(shares.productive / exact.productive).toBeLessThan(1.005);
    expect(shares.save).toBeCloseTo(exact.saving, 2);
    expect(shares.wasted).toBeCloseTo(exact.lostWork, 2);
    expect(shares.detect).toBeCloseTo(exact.detection, 2);
    expect(shares.restart).toBeCloseTo(exact.restart, 2);
    expect(shares.wait + shares.planned + shares.slow).toBe(0);
    expect(failures).toBeGreaterThan(4000);
    expect(traceHash).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is not what a fleet with repairs, lemons and slow nodes has", () => {
    const run = (model: FailureModel) =>
      simulateFleetJob({
        model,
        seed: "twin",
        horizonUs: 60 * day,
        job: { ...smallJob, nodes: 512, stepUs: 5 * second },
      });
    const [plain, full] = [run(forgetful), run(llama3)];
    expect(full.shares.wait).toBeGreaterThan(0.05);
    expect(full.shares.slow).toBeGreaterThan(0);
    expect(full.ettr).toBeLessThan(plain.ettr);
  });
});

describe("a fleet over time", () => {
  const run = (seed: string, spareNodes = 20) =>
    simulateFleetJob({
      model: llama3,
      seed,
      horizonUs: 60 * day,
      job: { ...smallJob, nodes: 256, spareNodes, stepUs: 5 * second },
    });

  it("is the same for the same seed, and another for another", () => {
    expect(run("a")).toEqual(run("a"));
    expect(run("a").traceHash).not.toBe(run("b").traceHash);
  });

  it("gives each failure a cause of the model, and all time a use", () => {
    const { causes, failures, shares, recovery, restarts } = run("c");
    expect(causes.reduce((sum, cause) => sum + cause.failures, 0)).toBe(failures);
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(recovery.count + recovery.open).toBe(failures);
    expect(restarts).toBeLessThanOrEqual(failures);
    expect(failures).toBeGreaterThan(80);
  });

  it("waits less with more spares", () => {
    expect(run("d", 0).shares.wait).toBeGreaterThan(5 * run("d", 20).shares.wait);
  });
});
