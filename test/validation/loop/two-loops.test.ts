import { describe, expect, test } from "vitest";
import { expectInvariants } from "./support/invariants.ts";
import { Life } from "./support/life.ts";
import { calm } from "./support/schedule.ts";
import { Simulation, timing } from "./support/simulation.ts";

const immortal = () => new Life(undefined, () => {});

describe("two loops on one cluster", () => {
  test("exactly one submits; the other says once who leads", async () => {
    const simulation = new Simulation(calm);
    const [first, second] = [immortal(), immortal()];
    const loops = [simulation.startLoop(first), simulation.startLoop(second)];
    await simulation.advanceUntil(() => simulation.isQuiet());
    expect(simulation.events.filter(({ type }) => type === "leading")).toHaveLength(1);
    const waiting = simulation.events.filter(({ type }) => type === "waiting");
    expect(waiting).toEqual([
      expect.objectContaining({ leader: expect.objectContaining({ holder: "loop-1" }) }),
    ]);
    for (const { stop } of loops) stop.abort();
    await simulation.clock.advance(5_000);
    await Promise.all(loops.map(({ done }) => done));
    expectInvariants(simulation);
    expect(simulation.world.created.size).toBeGreaterThan(5);
  });

  test("the other takes over when the leader is killed, and goes on with its runs", async () => {
    const simulation = new Simulation(calm);
    const first = immortal();
    simulation.startLoop(first);
    await simulation.clock.advance(500);
    const heir = simulation.startLoop(immortal());
    await simulation.clock.advance(1_000);
    first.end();
    const createdBefore = simulation.world.created.size;
    await simulation.advanceUntil(() => simulation.isQuiet());
    heir.stop.abort();
    await simulation.clock.advance(5_000);
    await heir.done;
    const fences = simulation.events.flatMap((event) =>
      event.type === "leading" ? [event.fence] : [],
    );
    expect(fences).toEqual([1, 2]);
    expect(simulation.world.created.size).toBeGreaterThan(createdBefore);
    expectInvariants(simulation);
  });

  test("a leader that was paused cannot submit beyond the limit when it wakes", async () => {
    // Paused at any of its first calls, for longer than its lease.
    for (let pauseAtCall = 1; pauseAtCall <= 40; pauseAtCall++) {
      const simulation = new Simulation(calm);
      const paused = immortal();
      paused.pauseAtCall = pauseAtCall;
      const old = simulation.startLoop(paused);
      const heir = simulation.startLoop(immortal());
      await simulation.advanceUntil(() => !paused.isAlive);
      await simulation.clock.advance(6_000);
      paused.resume();
      await simulation.advanceUntil(() => simulation.isQuiet());
      for (const { stop } of [old, heir]) stop.abort();
      await simulation.clock.advance(timing.resultGraceMs + 5_000);
      await Promise.all([old.done, heir.done]);
      expectInvariants(simulation);
    }
  });
});

test("a loop that keeps losing and regaining the lead still ends its runs", async () => {
  const silent = [{ pendingMs: 100, runMs: 300, end: "failed", handsIn: [] }] as const;
  const simulation = new Simulation({ ...calm, fates: silent });
  const { clock } = simulation;
  // A new term every second, shorter than the grace after which silence is concluded from.
  const term = () => Math.floor(clock.monotonicMs() / 1_000) + 1;
  const isLeader = () => clock.monotonicMs() % 1_000 >= 100;
  const { done, stop } = simulation.startLoop(immortal(), {
    leadership: {
      start: () => {},
      isLeader,
      fence: () => (isLeader() ? term() : undefined),
      leader: () => undefined,
      subscribe: () => () => {},
      stop: async () => {},
    },
  });
  await simulation.advanceUntil(() => simulation.isQuiet());
  stop.abort();
  await clock.advance(5_000);
  await done;
  expectInvariants(simulation);
  const outcomes = simulation.history.records("world").map(({ result }) => result?.outcome);
  expect(new Set(outcomes)).toEqual(new Set(["error"]));
});
