import { describe, expect, it } from "vitest";
import { guard, hourMs, World } from "./world.ts";

describe("opening a node", () => {
  function closedWorld(): World {
    const world = new World();
    world.passAll("n1");
    world.run("n1", "a-test", "fail");
    world.tick();
    return world;
  }

  it("needs a fresh pass of every required check, not only of the one that failed", () => {
    const world = closedWorld();
    world.run("n1", "a-test", "pass");
    expect(world.tick().actions).toEqual([]);
    const last = world.run("n1", "b-test", "warn");
    const { actions } = world.tick();
    expect(actions).toMatchObject([{ kind: "release", node: "n1", actor: "tessera" }]);
    expect(actions[0]).toMatchObject({ runIds: expect.arrayContaining([last.runId]) as string[] });
    expect(world.closed()).toEqual([]);
  });

  it.each([
    ["suspect", "completed"],
    ["fail", "completed"],
    ["unknown", "completed"],
    ["unknown", "error"],
    ["unknown", "timeout"],
  ] as const)("does not follow from %s (%s)", (verdict, outcome) => {
    const world = closedWorld();
    world.passAll("n1");
    world.run("n1", "b-test", verdict, { outcome });
    expect(world.tick().actions).toEqual([]);
  });

  it("does not follow from passes before the repair", () => {
    const world = closedWorld();
    world.run("n1", "a-test", "pass");
    world.event("n1", "repair");
    world.run("n1", "b-test", "pass");
    expect(world.tick().actions).toEqual([]);
    world.run("n1", "a-test", "pass");
    expect(world.tick().actions).toMatchObject([{ kind: "release" }]);
  });

  it("asks for what is missing: after a cooldown, or at once when it was repaired", () => {
    const world = closedWorld();
    const cordonedAtMs = world.events[0]?.atMs ?? 0;
    const wanted = world.tick().wanted;
    expect(wanted.map(({ check, purpose }) => [check, purpose])).toEqual([
      ["a-test", "acceptance"],
      ["b-test", "acceptance"],
    ]);
    expect(wanted[0]?.notBeforeMs).toBe(cordonedAtMs + guard.cooldownMs);
    world.run("n1", "a-test", "pass");
    expect(world.tick().wanted.map(({ check }) => check)).toEqual(["b-test"]);
    world.event("n1", "repair");
    const repairedAtMs = world.events.at(-1)?.atMs ?? 0;
    expect(world.tick().wanted).toMatchObject([
      { check: "a-test", notBeforeMs: repairedAtMs },
      { check: "b-test", notBeforeMs: repairedAtMs },
    ]);
  });

  it("asks less and less often when it keeps failing", () => {
    const world = closedWorld();
    world.run("n1", "b-test", "pass");
    const waits = Array.from({ length: 5 }, () => {
      const { endedAtMs } = world.run("n1", "a-test", "fail");
      return ((world.tick().wanted[0]?.notBeforeMs ?? 0) - endedAtMs) / hourMs;
    });
    expect(waits).toEqual([4, 8, 16, 24, 24]);
  });

  it("adopts a node of ours of which nothing says when it was closed", () => {
    const world = new World();
    world.passAll("n1");
    world.setNode("n1", { cordoned: true, awaitsAcceptance: true });
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1", runIds: [] }]);
    expect(world.tick().actions).toEqual([]);
    world.passAll("n1");
    expect(world.tick().actions).toMatchObject([{ kind: "release", node: "n1" }]);
  });

  it("is not had by a word of a person that was carried out before", () => {
    const world = closedWorld();
    world.override("n1", "release");
    expect(world.tick().actions).toMatchObject([{ kind: "release", actor: "ann" }]);
    world.setNode("n1", { cordoned: true, awaitsAcceptance: true });
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1", runIds: [] }]);
    expect(world.tick().actions).toEqual([]);
  });

  it.each([
    ["open", false],
    ["closed by somebody else", true],
  ])("is not had by a word that was said while it was %s", (_, cordoned) => {
    const world = new World();
    world.passAll("n1");
    world.setNode("n1", { cordoned });
    world.override("n1", "release");
    expect(world.tick().actions).toEqual([]);
    world.setNode("n1", { cordoned: true, awaitsAcceptance: true });
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1" }]);
    expect(world.tick().actions).toEqual([]);
  });

  it("follows from a word that could not be carried out yet, however old", () => {
    const world = new World();
    world.setNode("n1", { cordoned: true, awaitsAcceptance: true });
    world.override("n1", "release");
    world.decide();
    world.nowMs += 24 * hourMs;
    expect(world.tick().actions).toMatchObject([{ kind: "release", actor: "ann" }]);
  });

  it("does not follow from passes while it was open, which somebody else had opened", () => {
    const world = closedWorld();
    world.setNode("n1", { cordoned: false, awaitsAcceptance: false });
    world.tick();
    world.passAll("n1");
    world.setNode("n1", { cordoned: true, awaitsAcceptance: true });
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1", runIds: [] }]);
    expect(world.tick().actions).toEqual([]);
    world.passAll("n1");
    expect(world.tick().actions).toMatchObject([{ kind: "release", node: "n1" }]);
  });

  it("does not close it again while the view lags behind", () => {
    const world = closedWorld();
    world.passAll("n1");
    world.event("n1", "released");
    expect(world.decide().actions).toEqual([]);
  });
});
