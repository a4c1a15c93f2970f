import { describe, expect, test } from "vitest";
import { resolveExperiment } from "../../../src/chaos/experiment/index.ts";
import {
  experimentOf,
  type FaultFile,
  killRank,
  planOf,
  problemOf,
  withFault,
} from "./experiments.ts";

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

describe("triggers", () => {
  const triggers = (fault: object, options = {}) =>
    planOf({ faults: [killRank(1, { for: "1s", ...fault })] }, options).faults.map(
      ({ id, trigger }) => [id, trigger],
    );

  const chance = (at: FaultFile["at"], times: number) => {
    const experiment = experimentOf({ faults: [killRank(1, { at, times })] });
    return (seed: number) =>
      resolveExperiment(experiment, { seed: String(seed) }).faults.map(({ trigger }) => trigger);
  };

  test("repeat at a distance, each with an id of its own", () => {
    expect(triggers({ at: { step: 4 }, every: { steps: 5 }, times: 3 })).toEqual([
      ["kill_device.1", { kind: "step", step: 4 }],
      ["kill_device.2", { kind: "step", step: 9 }],
      ["kill_device.3", { kind: "step", step: 14 }],
    ]);
    expect(triggers({ at: { time: "1s" }, every: { time: "2s" }, times: 2 })).toEqual([
      ["kill_device.1", { kind: "time", atUs: 1_000_000 }],
      ["kill_device.2", { kind: "time", atUs: 3_000_000 }],
    ]);
    expect(
      triggers({
        at: { collective: { axis: "dp", nth: 3 } },
        every: { collectives: 10 },
        times: 2,
      }),
    ).toEqual([
      ["kill_device.1", { kind: "collective", axis: "dp", nth: 3 }],
      ["kill_device.2", { kind: "collective", axis: "dp", nth: 13 }],
    ]);
  });

  test("by chance come as often as the chance says, at most as often as allowed", () => {
    const often = chance({ probability: { perStep: 0.1 } }, 100);
    const counts = Array.from({ length: 200 }, (_, seed) => {
      return often(seed).filter(({ kind }) => kind === "step").length;
    });
    // 24 steps, a tenth each: 2.4, and five standard errors of the mean of 200.
    const errorOfMean = Math.sqrt((24 * 0.1 * 0.9) / counts.length);
    expect(Math.abs(mean(counts) - 2.4)).toBeLessThan(5 * errorOfMean);
    expect(chance({ probability: { perStep: 1 } }, 1)(0)).toEqual([{ kind: "step", step: 1 }]);
  });

  test("by chance per second have the mean that they say", () => {
    const once = chance({ probability: { perSecond: 1 } }, 1);
    const seconds = Array.from({ length: 300 }, (_, seed) => {
      const [first] = once(seed);
      return first?.kind === "time" ? first.atUs / 1e6 : Number.NaN;
    });
    expect(Math.abs(mean(seconds) - 1)).toBeLessThan(5 / Math.sqrt(300));
  });

  test("that chance never brings leave a fault that never begins: not a plan that proves nothing", () => {
    expect(triggers({ at: { probability: { perStep: 0 } } })).toEqual([
      ["kill_device", { kind: "time", atUs: 600_000_000 }],
    ]);
  });

  test("a longer job changes no moment that came before", () => {
    const steps = (count: number) =>
      planOf({
        training: { steps: count },
        faults: [killRank(1, { at: { probability: { perStep: 0.3 } }, times: 1000 })],
      }).faults.map(({ trigger }) => (trigger.kind === "step" ? trigger.step : 0));
    expect(steps(100).filter((step) => step <= 20)).toEqual(steps(20));
  });

  test.each([
    ["a step after the last", { at: { step: 25 } }, /step 25 never begins: the job has 24/],
    ["a repetition after the last", { at: { step: 20 }, every: { steps: 5 }, times: 2 }, /step 25/],
    [
      "an exchange along an axis of one",
      { at: { collective: { axis: "pp", nth: 1 } } },
      /nobody exchanges along pp/,
    ],
  ])("refuse %s", (_, fault, message) => {
    expect(problemOf(() => triggers(fault))).toMatch(message);
  });

  test("refuse a save of a job that saves nothing, and steps of what has none", () => {
    const never = { training: { checkpoint: { every: 0 } } };
    const inSave = { at: { checkpoint: { nth: 1, phase: "write" } } } as const;
    expect(problemOf(() => withFault(inSave, never))).toMatch(/the job saves nothing/);
    const inference = {
      workload: { kind: "inference", replicas: 4, requests: 9, rate: 1 },
    } as const;
    expect(problemOf(() => withFault({}, inference))).toMatch(
      /inference knows a time, and no step/,
    );
    expect(withFault({ at: { time: "1s" } }, inference).faults).toHaveLength(1);
  });

  test("refuse a duration for what is over at once", () => {
    const restart = { fault: "restart_worker" } as const;
    expect(problemOf(() => withFault({ ...restart, for: "1s" }))).toMatch(/take `for` away/);
    expect(withFault(restart).faults[0]?.durationUs).toBeNull();
  });
});

describe("chance", () => {
  const faults = [
    killRank(0, {
      target: { random: { count: 1, of: "ranks" } },
      at: { probability: { perStep: 0.2 } },
      for: "1s",
    }),
    killRank(0, {
      fault: "freeze_worker",
      target: { random: { count: 2, of: "ranks" } },
      at: { step: 3 },
    }),
    killRank(0, {
      fault: "straggler",
      target: { random: { count: 1, of: "nodes" } },
      at: { step: 5 },
    }),
  ];
  const chosen = (kept: readonly number[], seed: string) =>
    planOf({ faults: faults.filter((_, at) => kept.includes(at)) }, { seed }).faults.map(
      ({ fault, targets, trigger }) => JSON.stringify({ fault, targets, trigger }),
    );

  test("of one fault is not moved by taking another away", () => {
    for (let seed = 0; seed < 20; seed++) {
      const everything = chosen([0, 1, 2], String(seed));
      const without = (fault: string) => everything.filter((one) => !one.includes(fault));
      expect(chosen([1, 2], String(seed))).toEqual(without("kill_device"));
      expect(chosen([0, 2], String(seed))).toEqual(without("freeze_worker"));
    }
  });

  test("differs between faults that say the same", () => {
    const same = killRank(0, { target: { random: { count: 1, of: "ranks" } } });
    const pairs = Array.from({ length: 20 }, (_, seed) =>
      planOf({ faults: [same, same] }, { seed: String(seed) }).faults.map(({ targets }) =>
        JSON.stringify(targets),
      ),
    );
    expect(pairs.some(([one, other]) => one !== other)).toBe(true);
  });
});
