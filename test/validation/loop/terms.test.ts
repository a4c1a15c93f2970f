import { describe, expect, test } from "vitest";
import { expectInvariants } from "./support/invariants.ts";
import { Life } from "./support/life.ts";
import { calm } from "./support/schedule.ts";
import { Simulation } from "./support/simulation.ts";

const immortal = () => new Life(undefined, () => {});

describe("a loop over its terms of leading", () => {
  test("tells of an outage once, also when it loses the lead in the middle of it", async () => {
    const happenings = [{ atMs: 1_000, kind: "cut", size: 8_000 } as const];
    const simulation = new Simulation({ ...calm, happenings });
    const running = simulation.startLoop(immortal());
    await simulation.clock.advance(3_000);
    // Somebody else leads for a while, and the view is still not current when that is over.
    const { lock, clock } = simulation;
    Object.assign(lock, { holder: "other", fence: lock.fence + 1 });
    lock.expiresMs = clock.monotonicMs() + 3_000;
    await simulation.advanceUntil(() => simulation.isQuiet());
    running.stop.abort();
    await clock.advance(5_000);
    await running.done;
    const told = (type: string) => simulation.events.filter((event) => event.type === type);
    expect(told("leading")).toHaveLength(2);
    expect(told("trouble")).toEqual([expect.objectContaining({ step: "cluster" })]);
    expect(told("recovered")).toEqual([expect.objectContaining({ step: "cluster" })]);
    expectInvariants(simulation);
  });

  test("tells of the end of runs whose results it finds at first sight", async () => {
    const fates = [{ pendingMs: 100, runMs: 800, end: "succeeded", handsIn: ["file"] }] as const;
    const simulation = new Simulation({ ...calm, fates });
    const first = immortal();
    simulation.startLoop(first);
    const { world, clock } = simulation;
    await simulation.advanceUntil(() => world.jobViews().some(({ phase }) => phase === "running"));
    first.end();
    // Nobody looks while the jobs end and leave their files.
    await clock.advance(10_000);
    const found = [...world.files.keys()];
    const heir = simulation.startLoop(immortal());
    await simulation.advanceUntil(() => simulation.isQuiet());
    heir.stop.abort();
    await clock.advance(5_000);
    const { ended } = await heir.done;
    expect(found.length).toBeGreaterThan(0);
    expect(ended.map(({ intent }) => intent.id)).toEqual(expect.arrayContaining(found));
    expectInvariants(simulation);
  });
});
