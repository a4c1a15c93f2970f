import { describe, expect, it } from "vitest";
import { verdicts } from "../../../src/platform/words.ts";
import { checks, hourMs, World } from "./world.ts";

describe("closing a node", () => {
  it.each(verdicts.filter((verdict) => verdict !== "fail"))("does not happen on %s", (verdict) => {
    const world = new World();
    world.run("n1", "a-test", verdict);
    expect(world.tick().actions).toEqual([]);
  });

  it("happens when one required check failed, with the run and its sentence", () => {
    const world = new World();
    world.run("n1", "b-test", "pass");
    const failed = world.run("n1", "a-test", "fail");
    expect(world.tick().actions).toEqual([
      {
        kind: "cordon",
        node: "n1",
        reason: "a-test: It is fail.",
        runIds: [failed.runId],
        actor: "tessera",
      },
    ]);
  });

  it("does not happen for a check nobody requires", () => {
    const world = new World();
    world.run("n1", "c-test", "fail");
    expect(world.tick().actions).toEqual([]);
  });

  it("happens once: what is closed stays as it is", () => {
    const world = new World();
    world.run("n1", "a-test", "fail");
    world.tick();
    world.run("n1", "b-test", "fail");
    expect(world.tick().actions).toEqual([]);
    expect(world.closed()).toEqual(["n1"]);
  });

  it("leaves a node alone that somebody else closed", () => {
    const world = new World();
    world.setNode("n1", { cordoned: true });
    world.run("n1", "a-test", "fail");
    const decision = world.tick();
    expect(decision.actions).toEqual([]);
    expect(decision.health.find(({ node }) => node === "n1")).toMatchObject({
      standing: "closed-by-others",
      verdict: "fail",
    });
  });

  it("is not repeated for the same run when somebody opens the node by other means", () => {
    const world = new World();
    world.run("n1", "a-test", "fail");
    world.tick();
    world.setNode("n1", { cordoned: false, awaitsAcceptance: false });
    expect(world.tick().actions).toEqual([]);
    world.run("n1", "a-test", "fail");
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1" }]);
  });

  it("is not repeated while the view lags behind", () => {
    const world = new World();
    world.run("n1", "a-test", "fail");
    world.event("n1", "cordoned", { runIds: [] });
    expect(world.decide().actions).toEqual([]);
  });

  it("is off when it is switched off", () => {
    const world = new World();
    world.settings = { ...world.settings, cordon: false };
    world.run("n1", "a-test", "fail");
    world.override("n2", "hold");
    expect(world.tick().actions).toEqual([]);
  });
});

describe("the circuit breaker", () => {
  it("keeps all but the allowed share open, counting those that are closed", () => {
    const world = new World(8);
    world.settings = { ...world.settings, cordonedShareMax: 0.25 };
    for (const node of ["n5", "n3", "n1", "n7"]) world.run(node, "a-test", "fail");
    const first = world.tick();
    expect(first.actions.map(({ node }) => node).toSorted()).toEqual(["n3", "n5"]);
    expect(first.refusals).toMatchObject([
      { node: "n1", code: "share" },
      { node: "n7", code: "share" },
    ]);
    expect(first.refusals[0]?.reason).toBe(
      "2 of 8 nodes are closed by us, and more than 25 % must not be.",
    );
    expect(world.tick().actions).toEqual([]);
  });

  it("lets the next one in when one is opened", () => {
    const world = new World(8);
    world.settings = { ...world.settings, cordonedShareMax: 0.125 };
    world.run("n1", "a-test", "fail");
    world.run("n2", "a-test", "fail");
    world.tick();
    world.passAll("n1");
    expect(world.tick().actions).toMatchObject([{ kind: "release", node: "n1" }]);
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n2" }]);
  });

  it("never closes the last open nodes, whatever the share", () => {
    const world = new World(3);
    world.settings = { ...world.settings, cordonedShareMax: 1 };
    world.setNode("n0", { notFree: [{ code: "not-ready", text: "not ready" }] });
    for (const node of ["n1", "n2"]) world.run(node, "a-test", "fail");
    const { actions, refusals } = world.tick();
    expect(actions).toMatchObject([{ kind: "cordon", node: "n1" }]);
    expect(refusals).toMatchObject([{ node: "n2", code: "last-nodes" }]);
  });

  it("closes nothing while many nodes are bad together", () => {
    const world = new World(8);
    for (const node of ["n0", "n1", "n2", "n3"]) {
      world.run(node, "b-test", "warn", { rule: "incident" });
    }
    world.run("n7", "a-test", "fail");
    const { actions, refusals } = world.tick();
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([{ node: "n7", code: "incident" }]);
    world.run("n0", "b-test", "pass");
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n7" }]);
  });

  it("forgets an incident after a day", () => {
    const world = new World(8);
    for (const node of ["n0", "n1", "n2", "n3"]) {
      world.run(node, "b-test", "warn", { rule: "incident" });
    }
    world.nowMs += 25 * hourMs;
    world.run("n7", "a-test", "fail");
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n7" }]);
  });
});

describe("a person's word", () => {
  it("hold closes a node, and no pass opens it", () => {
    const world = new World();
    world.override("n1", "hold");
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1", actor: "ann" }]);
    world.passAll("n1");
    const { actions, wanted, health } = world.tick();
    expect({ actions, wanted }).toEqual({ actions: [], wanted: [] });
    expect(health.find(({ node }) => node === "n1")).toMatchObject({
      standing: "held",
      why: "Held by ann: I say so.",
    });
  });

  it("hold is not stopped by the breaker, but counts in it", () => {
    const world = new World(4);
    world.settings = { ...world.settings, cordonedShareMax: 0.25 };
    world.run("n0", "a-test", "fail");
    world.override("n1", "hold");
    const { actions, refusals } = world.tick();
    expect(actions).toMatchObject([{ node: "n1" }]);
    expect(refusals).toMatchObject([{ node: "n0", code: "share" }]);
  });

  it("release opens a failed node, which is not closed again for the same run", () => {
    const world = new World();
    world.run("n1", "a-test", "fail");
    world.tick();
    world.override("n1", "release");
    expect(world.tick().actions).toMatchObject([{ kind: "release", node: "n1", actor: "ann" }]);
    expect(world.tick().actions).toEqual([]);
    world.run("n1", "a-test", "fail");
    expect(world.tick().actions).toMatchObject([{ kind: "cordon", node: "n1" }]);
  });

  it("release before it is closed keeps it open for the same run", () => {
    const world = new World();
    world.run("n1", "a-test", "fail");
    world.override("n1", "release");
    expect(world.tick().actions).toEqual([]);
  });

  it("release ends a hold", () => {
    const world = new World();
    world.override("n1", "hold");
    world.tick();
    world.override("n1", "release");
    expect(world.tick().actions).toMatchObject([{ kind: "release", node: "n1" }]);
    expect(world.tick().actions).toEqual([]);
  });

  it("release does not open what somebody else closed", () => {
    const world = new World();
    world.setNode("n1", { cordoned: true });
    world.override("n1", "release");
    expect(world.tick().actions).toEqual([]);
  });
});

describe("labels", () => {
  it("show the worst required check of every node, with its sentence", () => {
    const world = new World(3);
    world.settings = { ...world.settings, label: true, cordon: false };
    world.passAll("n0");
    world.run("n1", "a-test", "pass");
    world.run("n1", "b-test", "suspect");
    expect(world.tick().actions).toEqual([
      { kind: "label", node: "n0", verdict: "pass", reason: "All checks passed." },
      { kind: "label", node: "n1", verdict: "suspect", reason: "b-test: It is suspect." },
      { kind: "label", node: "n2", verdict: "unknown", reason: "a-test has not been run lately." },
    ]);
  });

  it("are unknown where no check is required, and nothing is closed or opened there", () => {
    const world = new World(1);
    world.settings = { ...world.settings, label: true };
    for (const check of checks) world.run("n0", check, "fail");
    const { actions } = world.decide({ requiredChecks: [] });
    expect(actions).toMatchObject([{ kind: "label", verdict: "unknown" }]);
  });
});
