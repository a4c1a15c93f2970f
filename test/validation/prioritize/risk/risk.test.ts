import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { simulateFleet } from "../../../../src/validation/fleet-log/index.ts";
import {
  createPolicy,
  type PolicyName,
  type RiskOptions,
} from "../../../../src/validation/prioritize/index.ts";
import {
  type EventLog,
  type LogEvent,
  parseLog,
  replayPolicy,
} from "../../../../src/validation/replay/index.ts";
import { smallLog } from "../../replay/small-log.ts";

const rng = createRng("test");

/** What a policy achieves on a log, and every decision it took. */
function replay(log: EventLog, name: PolicyName, risk: RiskOptions = {}) {
  const decisions: { readonly atS: number; readonly what: string; readonly reason: string }[] = [];
  const metrics = replayPolicy(log, createPolicy(name, log.fleet, { rng, risk }), {
    rng,
    onBegin: ({ atS, choice }) => {
      decisions.push({ atS, what: `${choice.node}/${choice.check}`, reason: choice.reason() });
    },
  });
  return { metrics, decisions };
}

const simulated = (options: Parameters<typeof simulateFleet>[0]) =>
  parseLog([...simulateFleet(options)].join("\n"));

const small = { nodes: 40, days: 12, jobHours: 3, defectsPer1000NodeDays: 25 } as const;
const logs = ["1", "2"].map((seed) => simulated({ ...small, seed }));

describe("no policy", () => {
  it.each(["stale", "risk", "random"] as const)("%s sees the future", (name) => {
    const at = fc.double({ min: 0.1, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...logs), at, fc.boolean(), (log, share, backwards) => {
        const cutS = share * log.fleet.endS;
        const past = log.events.filter(({ t }) => t <= cutS);
        const future = log.events.filter(({ t }) => t > cutS);
        const changed: LogEvent[] = backwards
          ? future.map((event, index) => ({ ...(future.at(-1 - index) ?? event), t: event.t }))
          : [];
        const until = (one: EventLog) =>
          replay(one, name).decisions.filter(({ atS }) => atS <= cutS);
        expect(until({ ...log, events: [...past, ...changed] })).toEqual(until(log));
      }),
      { numRuns: 6 },
    );
  });

  it.each(["stale", "risk", "random"] as const)("%s sees defects or causes", (name) => {
    // Defects of a kind no check finds: then nothing that is hidden may change a decision.
    for (const log of logs) {
      const unseen = log.events.flatMap((event): LogEvent[] => {
        if (event.type === "defect") return [{ ...event, kind: "unheard of" }];
        return event.type === "repair" && event.cause !== undefined ? [] : [event];
      });
      const bare = unseen.flatMap((event): LogEvent[] => {
        if (event.type === "defect") return [];
        if (event.type === "crash") return [{ ...event, causes: [] }];
        return "cause" in event ? [{ ...event, cause: undefined }] : [event];
      });
      const { decisions } = replay({ ...log, events: unseen }, name);
      expect(replay({ ...log, events: bare }, name).decisions).toEqual(decisions);
      expect(decisions.length).toBeGreaterThan(20);
    }
  });
});

describe("the risk policy", () => {
  it("finds defects several times as soon as stale, at the same cost", () => {
    const fleets = [
      { nodes: 150, days: 40, seed: "a", budget: 0.4 },
      { nodes: 100, days: 45, seed: "b", budget: 0.3, jobNodesMax: 4 },
      { nodes: 120, days: 40, seed: "c", budget: 1.5, utilisation: 0.7 },
    ];
    const ratios = fleets.map((options) => {
      const log = simulated({ ...options, defectsPer1000NodeDays: 10 });
      const [stale, risk] = [replay(log, "stale").metrics, replay(log, "risk").metrics];
      expect(risk.gpuHours / stale.gpuHours).toBeGreaterThan(0.95);
      expect(risk.gpuHours / stale.gpuHours).toBeLessThan(1.05);
      expect(risk.exposureNodeHours).toBeLessThan(stale.exposureNodeHours);
      return (stale.meanTimeToDetectHours ?? 0) / (risk.meanTimeToDetectHours ?? 1);
    });
    const mean = Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length);
    expect(mean).toBeGreaterThan(4);
  });

  it("has no magic where defects leave no evidence", () => {
    const log = simulated({
      nodes: 150,
      days: 40,
      seed: "d",
      evidence: 0,
      lemonFactor: 1,
      repairDays: 0,
    });
    const [stale, risk] = [replay(log, "stale").metrics, replay(log, "risk").metrics];
    const ratio = (stale.meanTimeToDetectHours ?? 0) / (risk.meanTimeToDetectHours ?? 1);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });

  it("does the same again for the same log", () => {
    for (const log of logs) expect(replay(log, "risk")).toEqual(replay(log, "risk"));
  });

  it("spends the whole budget when told to", () => {
    const log = simulated({ ...small, seed: "3", budget: 4, inFlight: 8 });
    const [stale, likeStale, all] = [
      replay(log, "stale").metrics.gpuHours,
      replay(log, "risk").metrics.gpuHours,
      replay(log, "risk", { spend: "budget" }).metrics.gpuHours,
    ];
    expect(likeStale / stale).toBeCloseTo(1, 1);
    expect(all).toBeGreaterThan(1.5 * stale);
  });

  it("spends more on old results the larger its exploration share", () => {
    const log = simulated({ ...small, days: 30, seed: "4", budget: 0.4 });
    const old = (explorationShare: number) =>
      replay(log, "risk", { explorationShare, staleFloorDays: 10 }).decisions.filter(({ reason }) =>
        reason.startsWith("the oldest result, over 10 d"),
      ).length;
    expect(old(0)).toBe(0);
    expect(old(0.5)).toBeGreaterThan(old(0.1));
    expect(old(0.1)).toBeGreaterThan(0);
  });

  it("says why in words and numbers", () => {
    const reasons = logs.flatMap((log) =>
      replay(log, "risk").decisions.map(({ reason }) => reason),
    );
    const full =
      /^p = [\d.e-]+ \(.+ [\d.e-]+, .+ [\d.e-]+\); \d+ crash(es)? and \d+ kernel events? since its last result; \S+ would find [\d.e-]+; worth [\d.e-]+ h per GPU-hour at a price of [\d.e-]+$/;
    expect(reasons.filter((reason) => full.test(reason)).length).toBeGreaterThan(20);
    expect(reasons.some((reason) => /[1-9] crash/.test(reason))).toBe(true);
  });

  it("spends as stale does where slots are scarce and nodes differ in GPUs", () => {
    const nodes = Array.from({ length: 30 }, (_, at) => ({
      name: `n${at}`,
      sku: "s",
      rack: "r",
      gpus: at % 2 === 0 ? 2 : 8,
    }));
    const log = smallLog([], {
      nodes,
      checks: [{ name: "x", minutes: 120, sensitivity: { bad: 0.9 } }],
      limits: { inFlight: 1, gpuHoursPerDay: 1e6 },
      end: 30 * 86_400,
    });
    const ratio = replay(log, "risk").metrics.gpuHours / replay(log, "stale").metrics.gpuHours;
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.05);
  });

  it("does not test a sound node for ever because errors came in a burst", () => {
    const burst = Array.from({ length: 40 }, (_, at) => ({
      type: "kernel",
      t: 3600 + at,
      node: "b",
      xid: 79,
    }));
    const log = smallLog(
      [{ type: "busy", t: 0, node: "b" }, ...burst, { type: "free", t: 7200, node: "b" }],
      {
        checks: [{ name: "x", minutes: 30, sensitivity: { bad: 0.9 } }],
        limits: { inFlight: 1, gpuHoursPerDay: 16 },
      },
    );
    const { decisions } = replay(log, "risk");
    const share = decisions.filter(({ what }) => what.startsWith("1/")).length / decisions.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.6);
  });

  it("copes with a fleet in which no check finds anything, and with a budget of nothing", () => {
    const blind = smallLog([{ type: "crash", t: 5, node: "a", job: "j" }], {
      checks: [{ name: "x", minutes: 5, sensitivity: {} }],
    });
    expect(replay(blind, "risk").metrics.undetected).toBe(0);
    const broke = smallLog([], { limits: { inFlight: 1, gpuHoursPerDay: 0 } });
    expect(replay(broke, "risk").metrics.gpuHours).toBe(0);
  });
});
