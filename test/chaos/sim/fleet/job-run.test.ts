import { describe, expect, it } from "vitest";
import { causes, happen, incident, second, secondsOf, smallJob } from "./lib.ts";

describe("a job on a fleet", () => {
  it("does nothing but compute and save where nothing happens", () => {
    const result = happen({});
    expect(secondsOf(result)).toEqual({ productive: 100, save: 10 });
    expect(result).toMatchObject({ steps: 100, failures: 0, mtbfUs: null, end: "horizon" });
    expect(result.ettr).toBeCloseTo(100 / 110, 12);
    expect(result.ettrOverTime.ettr).toEqual(Array.from({ length: 10 }, () => 10 / 11));
  });

  it("goes back to its last save after a crash", () => {
    // Saved at 10 s and at 21 s; 8 steps are lost, then 2 s unnoticed and 5 s of restart.
    const result = happen({ incidents: [incident(30, 0)] });
    expect(secondsOf(result)).toEqual({
      // Then 73 s: six rounds of 11 s, and 7 s.
      productive: 20 + 60 + 7,
      save: 2 + 6,
      wasted: 8,
      detect: 2,
      restart: 5,
    });
    expect(result).toMatchObject({ restarts: 1, lostSteps: 8, failures: 1 });
    expect(result.recovery).toMatchObject({ count: 1, meanUs: 8 * second, maxUs: 8 * second });
  });

  it("loses the save that a crash interrupts, and none that was written", () => {
    const during = happen({ incidents: [incident(21.5, 0)] });
    const after = happen({ incidents: [incident(22, 0)] });
    expect([during.lostSteps, after.lostSteps]).toEqual([10, 0]);
  });

  it("waits for what is written behind its back", () => {
    const job = { checkpoint: { ...smallJob.checkpoint, writeUs: 5 * second } };
    const [during, after] = [24.5, 26].map((atS) =>
      happen({ incidents: [incident(atS, 0)] }, { job }),
    );
    // Begun at 21 s, it counts at 26 s.
    expect([during?.lostSteps, after?.lostSteps]).toEqual([12, 4]);
  });

  it("notices a hang later than a crash", () => {
    const result = happen({ incidents: [incident(30, 0, { cause: causes.hang })] });
    expect(secondsOf(result)["detect"]).toBe(20);
  });

  it("starts over when something fails while it comes back", () => {
    const result = happen({ incidents: [incident(30, 0), incident(33, 1)] });
    expect(secondsOf(result)).toMatchObject({ detect: 4, restart: 1 + 5 });
    expect(result).toMatchObject({ failures: 2, restarts: 1 });
    expect(result.recovery).toMatchObject({ count: 2, maxUs: 11 * second, meanUs: 9.5 * second });
  });

  it("takes a spare at once, and waits for the repair where there is none", () => {
    const incidents = [incident(30, 0, { repairUs: 30 * second })];
    const spare = happen({ incidents }, { job: { spareNodes: 1 } });
    const none = happen({ incidents });
    const own = happen({ incidents }, { job: { spareNodes: 1, policy: "drainThenResume" } });
    expect(secondsOf(spare)["wait"]).toBeUndefined();
    expect(secondsOf(none)["wait"]).toBe(28);
    expect(secondsOf(own)["wait"]).toBe(28);
  });

  it("does not care about a spare that breaks, until it needs it", () => {
    const broken = incident(20, 4, { repairUs: 60 * second });
    expect(happen({ incidents: [broken] }, { job: { spareNodes: 1 } }).failures).toBe(0);
    const incidents = [broken, incident(30, 0, { repairUs: 40 * second })];
    const result = happen({ incidents }, { job: { spareNodes: 1 } });
    expect(secondsOf(result)["wait"]).toBe(38);
  });

  it("goes on slower with fewer replicas, and with all of them after the next restart", () => {
    const incidents = [incident(30, 0, { repairUs: 20 * second }), incident(80, 3)];
    const result = happen({ incidents }, { job: { policy: "shrink" } });
    expect(secondsOf(result)["wait"]).toBeUndefined();
    // From 37 s at half the pace: saved at 57 s and 78 s; the second since then is lost.
    expect(secondsOf(result)).toMatchObject({ slow: 20, wasted: 8 + 1, restart: 10, detect: 4 });
    expect(result.steps).toBe(40 + 21);
  });

  it("lets the other replicas go on after a moment, where that is the policy", () => {
    const incidents = [incident(30.5, 0)];
    const job = { policy: "replica", stallUs: second } as const;
    const result = happen({ incidents }, { job });
    // Half a step is lost; 2 + 1 s of stall; the replica is back 7 s after the crash.
    expect(secondsOf(result)).toMatchObject({ wasted: 0.5, restart: 3 });
    expect(secondsOf(result)["slow"]).toBeCloseTo(2, 6);
    expect(result).toMatchObject({ stalls: 1, restarts: 0, lostSteps: 0 });
  });

  it("restarts all replicas when none is left", () => {
    const incidents = [incident(30, 0), incident(30.5, 2)];
    const result = happen({ incidents }, { job: { policy: "replica" } });
    expect(result).toMatchObject({ stalls: 1, restarts: 1, lostSteps: 8 });
  });

  it("goes back to before a silent corruption, once it is noticed", () => {
    // Wrong from 30 s, noticed at 60 s: what was saved at 32, 43 and 54 s is wrong.
    const incidents = [incident(30, 0, { cause: causes.silent })];
    const job = { checkpoint: { ...smallJob.checkpoint, keep: 5 } };
    const kept = happen({ incidents }, { job });
    expect(kept).toMatchObject({ contaminated: 0, lostSteps: 35, failures: 1 });
    const few = happen({ incidents });
    expect(few).toMatchObject({ contaminated: 1, lostSteps: 25 });
  });

  it("saves before a planned stop, and loses nothing", () => {
    const stops = [{ atUs: 34.5 * second, cause: -1, isPlanned: true }];
    const result = happen({ stops });
    // Saved at 10, 21 and 32 s; asked at 34.5 s it ends its step at 35 s.
    expect(result).toMatchObject({ plannedStops: 1, lostSteps: 0, failures: 0 });
    expect(secondsOf(result)).toEqual({ productive: 32 + 63, save: 4 + 6, planned: 5 });
  });

  it("is hit while it saves before a planned stop", () => {
    const stops = [{ atUs: 34.5 * second, cause: -1, isPlanned: true }];
    const result = happen({ stops, incidents: [incident(35.5, 1)] });
    expect(result).toMatchObject({ plannedStops: 0, restarts: 1, lostSteps: 2 });
    expect(secondsOf(result)["wasted"]).toBe(2.5);
  });

  it("is as slow as its slowest node, and not as a slow spare", () => {
    const slow = (node: number, slowdown: number) => ({
      atUs: 10 * second,
      node,
      slowdown,
      durationUs: 40 * second,
      reason: "compute" as const,
    });
    const result = happen({ stragglers: [slow(0, 1.25), slow(1, 2)] });
    const spare = happen({ stragglers: [slow(4, 2)] }, { job: { spareNodes: 1 } });
    // From 11 s: ten steps in 20 s, a save, nine in 18 s.
    expect(secondsOf(result)).toEqual({ productive: 83, slow: 19, save: 8 });
    expect(result.ettr).toBeCloseTo(102 / 110, 9);
    expect(result.goodput).toBeCloseTo(83 / 110, 9);
    expect(secondsOf(spare)["slow"]).toBeUndefined();
  });

  it("loses all nodes of a switch with the switch", () => {
    const incidents = [incident(30, 3, { extent: "tor", repairUs: 10 * second })];
    const result = happen({ incidents });
    expect(result.failures).toBe(1);
    expect(secondsOf(result)["wait"]).toBe(8);
  });

  it("has nodes that do not break while they are out", () => {
    const dark = incident(30, 3, { extent: "tor", repairUs: 40 * second });
    const during = happen({ incidents: [dark, incident(50, 1, { repairUs: 60 * second })] });
    const after = happen({ incidents: [dark, incident(80, 1, { repairUs: 20 * second })] });
    expect([during.failures, secondsOf(during)["wait"]]).toEqual([1, 38]);
    expect([after.failures, secondsOf(after)["wait"]]).toEqual([2, 38 + 18]);
  });

  it("ends when its steps are done, to the microsecond", () => {
    const done = happen({ incidents: [incident(30, 0)] }, { job: { steps: 50 } });
    // 50 steps and 4 saves, and 7 + 8 s for the crash.
    expect(done).toMatchObject({ end: "finished", steps: 50, wallUs: (50 + 4 + 15) * second });
    expect(happen({}, { job: { steps: 101 } }).end).toBe("horizon");
  });
});
