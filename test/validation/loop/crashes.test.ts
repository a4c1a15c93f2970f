import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectInvariants } from "./support/invariants.ts";
import type { Death } from "./support/life.ts";
import { calm, type Happening, type Schedule } from "./support/schedule.ts";
import { Simulation, timing } from "./support/simulation.ts";
import type { JobFate } from "./support/world.ts";
import type { CallFault } from "./support/world-cluster.ts";

describe("a loop that crashes", () => {
  test("goes on after a crash at any await, before or after the effect of the call", async () => {
    const undisturbed = new Simulation({
      ...calm,
      nodes: 2,
      deaths: [{ atCall: 0, how: "before" }],
    });
    await undisturbed.runAll();
    expectInvariants(undisturbed);
    // The first two rounds of runs show every kind of call there is.
    for (let atCall = 1; atCall <= 120; atCall++) {
      for (const how of ["before", "after"] as const) {
        const simulation = new Simulation({ ...calm, nodes: 2, deaths: [{ atCall, how }] });
        await simulation.runAll();
        expectInvariants(simulation);
        expect(simulation.world.created.size).toBeGreaterThan(3);
      }
    }
  });

  test("keeps its promises under any schedule of crashes and failures", async () => {
    await fc.assert(
      fc.asyncProperty(schedules(), async (schedule) => {
        const simulation = new Simulation(schedule);
        await simulation.runAll();
        expectInvariants(simulation);
      }),
      { numRuns: Number(process.env["TESSERA_SCHEDULES"] ?? 80) },
    );
  });
});

function schedules(): fc.Arbitrary<Schedule> {
  const death: fc.Arbitrary<Death> = fc.record({
    atCall: fc.integer({ min: 1, max: 150 }),
    how: fc.constantFrom("before", "after"),
  });
  const fault: fc.Arbitrary<CallFault> = fc.constantFrom("none", "none", "before", "after", "late");
  return fc.record({
    nodes: fc.integer({ min: 1, max: 6 }),
    inFlightMax: fc.integer({ min: 1, max: 3 }),
    fates: fc.array(fates(), { minLength: 1, maxLength: 6 }),
    callFaults: fc.array(fault, { maxLength: 20 }),
    storeFaults: fc.array(fault, { maxLength: 40 }),
    deaths: fc.array(death, { maxLength: 6 }),
    happenings: fc.array(happenings(), { maxLength: 6 }),
  });
}

function fates(): fc.Arbitrary<JobFate> {
  const healthy = {
    pendingMs: fc.integer({ min: 0, max: 1_500 }),
    runMs: fc.integer({ min: 0, max: 3_000 }),
  };
  const handsIn = fc.constantFrom<JobFate["handsIn"][]>(["post"], ["file"], ["post", "file"], []);
  return fc.oneof(
    fc.record({ ...healthy, end: fc.constant("succeeded"), handsIn }),
    fc.record({ ...healthy, end: fc.constant("failed"), handsIn }),
    fc.record({
      ...healthy,
      pendingMs: fc.constant(Infinity),
      end: fc.constant("failed"),
      handsIn,
    }),
    fc.record({ ...healthy, runMs: fc.constant(Infinity), end: fc.constant("failed"), handsIn }),
  );
}

function happenings(): fc.Arbitrary<Happening> {
  const atMs = fc.integer({ min: 0, max: timing.planForMs });
  const days = 86_400_000;
  return fc.oneof(
    fc.record({ atMs, kind: fc.constant("jump"), size: fc.integer({ min: -days, max: days }) }),
    fc.record({ atMs, kind: fc.constant("vanish"), size: fc.constant(0) }),
    fc.record({ atMs, kind: fc.constant("cut"), size: fc.integer({ min: 100, max: 8_000 }) }),
    fc.record({ atMs, kind: fc.constant("lose-node"), size: fc.integer({ min: 0, max: 5 }) }),
  );
}
