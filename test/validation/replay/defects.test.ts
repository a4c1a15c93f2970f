import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { replayPolicy } from "../../../src/validation/replay/index.ts";
import { dayS, hourS, replayWishes, ScriptedPolicy, smallLog } from "./small-log.ts";

const onset = (t: number, node: string, id: string, kind = "bad") => ({
  type: "defect",
  t,
  node,
  id,
  kind,
});

describe("a defect that a test finds", () => {
  it("counts with the time from its onset to the end of the test", () => {
    const log = smallLog([onset(hourS, "a", "d1")]);
    const { metrics, policy } = replayWishes(log, [{ atS: 4 * hourS, node: 0 }]);
    expect(metrics).toMatchObject({ meanTimeToDetectHours: 4, undetected: 0, falseQuarantines: 0 });
    expect(policy.all("tested")).toMatchObject([{ outcome: "found" }]);
  });

  it("takes its node away for 24 hours, from which it comes back repaired", () => {
    const wishes = [0, 2 * hourS].map((atS) => ({ atS, node: 0 }));
    const { policy, metrics } = replayWishes(smallLog([onset(0, "a", "d1")]), wishes);
    expect(policy.begunAtS).toEqual([0, dayS + hourS]);
    expect(policy.all("returned")).toEqual([{ type: "returned", t: dayS + hourS, node: 0 }]);
    expect(policy.all("tested").map(({ outcome }) => outcome)).toEqual(["found", "passed"]);
    expect(metrics.meanTimeToDetectHours).toBe(1);
  });

  it("leaves its node in the state the log moved it to meanwhile", () => {
    const log = smallLog([
      onset(0, "a", "d1"),
      { type: "busy", t: 5 * hourS, node: "a" },
      { type: "free", t: 40 * hourS, node: "a" },
    ]);
    const { policy, metrics } = replayWishes(log, [
      { atS: 0, node: 0 },
      { atS: hourS, node: 0 },
    ]);
    expect(policy.begunAtS).toEqual([0, 40 * hourS]);
    expect(metrics.exposureNodeHours).toBe(0);
  });

  it("takes the signs of other causes with it while its node is away, and its own for ever", () => {
    const log = smallLog([
      onset(0, "a", "d1"),
      { type: "kernel", t: 1800, node: "a", xid: 48, defect: "d1" },
      { type: "kernel", t: 2 * hourS, node: "a", xid: 13 },
      { type: "crash", t: 3 * hourS, node: "a", job: "j" },
      { type: "repair", t: 4 * hourS, node: "a" },
      { type: "kernel", t: 30 * hourS, node: "a", xid: 48, defect: "d1" },
      { type: "crash", t: 31 * hourS, node: "a", job: "j", defect: "d1" },
      { type: "repair", t: 32 * hourS, node: "a", defect: "d1" },
      { type: "kernel", t: 33 * hourS, node: "a", xid: 31 },
    ]);
    const { policy } = replayWishes(log, [{ atS: 0, node: 0 }]);
    expect(policy.all("kernel").map(({ xid }) => xid)).toEqual([48, 31]);
    expect(policy.all("crash")).toEqual([]);
    expect(policy.all("repair")).toEqual([]);
  });

  it("frees its node of a second defect too", () => {
    const log = smallLog([onset(0, "a", "d1"), onset(0, "a", "d2", "unseen")]);
    const { metrics } = replayWishes(log, [{ atS: 0, node: 0 }]);
    expect(metrics).toMatchObject({ meanTimeToDetectHours: 1, undetected: 0 });
  });

  it("lets no defect begin on its node while that is away", () => {
    const log = smallLog([onset(0, "a", "d1"), onset(5 * hourS, "a", "d2")]);
    const { metrics } = replayWishes(log, [
      { atS: 0, node: 0 },
      { atS: hourS, node: 0 },
    ]);
    expect(metrics).toMatchObject({ meanTimeToDetectHours: 1, undetected: 0, testsRun: 2 });
  });
});

describe("a defect that nobody finds", () => {
  it("ends at the repair that names it", () => {
    const log = smallLog([
      onset(0, "a", "d1"),
      { type: "repair", t: 6 * hourS, node: "a", defect: "d1" },
    ]);
    const { metrics, policy } = replayWishes(log, [{ atS: 7 * hourS, node: 0 }]);
    expect(metrics).toMatchObject({ meanTimeToDetectHours: 6, undetected: 1 });
    expect(policy.all("repair")).toEqual([{ type: "repair", t: 6 * hourS, node: 0 }]);
    expect(policy.all("tested")).toMatchObject([{ outcome: "passed" }]);
  });

  it("ends with the log otherwise; a repair that names no defect is information only", () => {
    const log = smallLog([onset(0, "a", "d1"), { type: "repair", t: 6 * hourS, node: "a" }]);
    const { metrics, policy } = replayWishes(log, []);
    expect(metrics).toMatchObject({ meanTimeToDetectHours: 240, undetected: 1 });
    expect(policy.all("repair")).toHaveLength(1);
  });

  it("of a kind the check does not know is never found", () => {
    const log = smallLog([onset(0, "a", "d1", "other"), onset(0, "b", "d2", "toString")]);
    const wishes = Array.from({ length: 20 }, (_, index) => ({ atS: 0, node: index % 2 }));
    expect(replayWishes(log, wishes).metrics).toMatchObject({ undetected: 2, testsRun: 20 });
  });
});

describe("what a replay draws", () => {
  const checks = ["x", "y"].map((name) => ({ name, minutes: 60, sensitivity: { bad: 0.3 } }));
  const log = smallLog([onset(0, "a", "d1"), onset(0, "b", "d2")], { checks });
  const foundAfter = (
    seed: string,
    wishes: readonly { atS: number; node: number; check?: number }[],
  ) => {
    const policy = new ScriptedPolicy(wishes);
    replayPolicy(log, policy, { rng: createRng(seed) });
    const results = policy.all("tested").filter(({ node }) => node === 0);
    return results.findIndex(({ outcome }) => outcome === "found");
  };
  const tenTimes = (check: number, atS = 0) =>
    Array.from({ length: 10 }, () => ({ atS, node: 0, check }));

  it("depends on the defect, the check and the n-th test, not on when and what else is tested", () => {
    for (const seed of ["1", "2", "3", "4"]) {
      const alone = foundAfter(seed, tenTimes(0));
      const later = foundAfter(seed, [
        ...tenTimes(0, 20 * hourS),
        ...Array.from({ length: 5 }, () => ({ atS: 0, node: 1, check: 1 })),
      ]);
      expect(later).toBe(alone);
    }
  });

  it("counts tests of every check, and not those that gave no result", () => {
    const seeds = Array.from({ length: 30 }, (_, seed) => String(seed));
    const outcomes = (seed: string, list: readonly number[], events: readonly object[] = []) => {
      const policy = new ScriptedPolicy(list.map((check) => ({ atS: 0, node: 0, check })));
      const known = smallLog([onset(0, "a", "d1"), ...events], { checks });
      replayPolicy(known, policy, { rng: createRng(seed) });
      return policy.all("tested").map(({ outcome }) => outcome);
    };
    const taken = [
      { type: "busy", t: 1800, node: "a" },
      { type: "free", t: 3600, node: "a" },
    ];
    let differences = 0;
    for (const seed of seeds) {
      // A pre-empted first test leaves the first draw to the second.
      const [first, second] = outcomes(seed, [0, 0], taken);
      expect(first).toBe("preempted");
      expect(second).toBe(outcomes(seed, [0])[0]);
      // The second test of a defect draws as its second, whichever check came first.
      const after = [0, 1].map((check) => outcomes(seed, [check, 0]));
      if (after.every(([one]) => one === "passed")) expect(after[0]?.[1]).toBe(after[1]?.[1]);
      if (outcomes(seed, [1, 0])[1] !== outcomes(seed, [0])[0]) differences++;
    }
    expect(differences).toBeGreaterThan(0);
  });

  it("differs between seeds and between checks", () => {
    const seeds = Array.from({ length: 20 }, (_, seed) => String(seed));
    expect(new Set(seeds.map((seed) => foundAfter(seed, tenTimes(0)))).size).toBeGreaterThan(2);
    const differs = seeds.filter(
      (seed) => foundAfter(seed, tenTimes(0)) !== foundAfter(seed, tenTimes(1)),
    );
    expect(differs.length).toBeGreaterThan(5);
  });

  it("finds a defect as often as the check's sensitivity says", () => {
    const nodes = Array.from({ length: 400 }, (_, index) => ({
      name: `n${index}`,
      sku: "s",
      rack: "r",
      gpus: 1,
    }));
    const events = nodes.map(({ name }) => onset(0, name, `of ${name}`));
    const wide = smallLog(events, {
      nodes,
      checks,
      limits: { inFlight: 400, gpuHoursPerDay: 1e6 },
    });
    const wishes = nodes.map((_, node) => ({ atS: 0, node }));
    const { policy } = replayWishes(wide, wishes);
    const found = policy.all("tested").filter(({ outcome }) => outcome === "found").length;
    expect(found / 400).toBeGreaterThan(0.22);
    expect(found / 400).toBeLessThan(0.38);
  });

  it("has false alarms only where a check gives them, and takes the node away for one", () => {
    const wishes = Array.from({ length: 40 }, () => ({ atS: 0, node: 0 }));
    const alarming = { checks: [{ name: "x", minutes: 60, sensitivity: {}, falseAlarm: 1 }] };
    const { metrics } = replayWishes(smallLog([], alarming), wishes);
    expect(metrics).toMatchObject({ falseQuarantines: 10, testsRun: 10 });
    expect(replayWishes(smallLog([]), wishes).metrics.falseQuarantines).toBe(0);
  });
});
