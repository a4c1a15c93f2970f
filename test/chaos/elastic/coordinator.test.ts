import { describe, expect, it } from "vitest";
import { coordinator } from "./lib/told-coordinator.ts";

describe("a coordinator", () => {
  it("starts all, tells them who they are when all are there, and to load when all have met", () => {
    const { made, say, did } = coordinator();
    expect(did().orders).toEqual(["start 0:1", "start 1:1"]);
    say(0, { type: "hello" });
    expect(did().orders).toEqual([]);
    say(1, { type: "hello" });
    expect(did().orders).toEqual(["assign 0:1", "assign 1:1"]);
    say(1, { type: "joined", generation: 1 });
    say(0, { type: "joined", generation: 1 });
    expect(did()).toEqual({ orders: ["restore 0:1", "restore 1:1"], events: ["generation"] });
    expect(made.phase).toBe("joining");
    for (const slot of [0, 1]) say(slot, { type: "restored", generation: 1, step: 0 });
    expect(made.phase).toBe("running");
  });

  it("listens to nobody that it has killed or replaced", () => {
    const { made, say, exit, did, gather } = coordinator();
    gather([0, 1], 1);
    exit(1);
    say(0, { type: "drained", generation: 1 });
    expect(did().orders).toEqual(["abort 0:1", "start 1:2"]);
    say(1, { type: "hello" }, 1);
    expect(made.phase).toBe("starting");
    say(1, { type: "hello" }, 2);
    expect(made.phase).toBe("joining");
    say(1, { type: "joined", generation: 2 }, 1);
    say(0, { type: "joined", generation: 2 });
    expect(did().events).not.toContain("generation");
  });

  it("takes it from rank 0 alone that a checkpoint is whole", () => {
    const { did, gather, save } = coordinator();
    gather([0, 1], 1);
    save(0, "begun", 4);
    save(1, "committed", 4);
    expect(did().events).toEqual(["save begun 4"]);
    save(0, "committed", 4);
    expect(did().events).toEqual(["save committed 4"]);
  });

  it("counts no answer to an order that it has replaced", () => {
    const { made, say, exit, did, gather, save } = coordinator();
    gather([0, 1], 1);
    for (const step of [4, 8]) {
      save(0, "begun", step);
      save(0, "committed", step);
    }
    exit(1);
    say(0, { type: "drained", generation: 1 });
    say(1, { type: "hello" });
    for (const slot of [0, 1]) say(slot, { type: "joined", generation: 2 });
    did();
    say(1, { type: "refused", generation: 2, tag: "step-000008", reason: "torn" });
    // Sent before the order to load the older one arrived.
    say(0, { type: "restored", generation: 2, step: 8 });
    say(1, { type: "restored", generation: 2, step: 4 });
    expect(made.phase).toBe("joining");
    say(0, { type: "restored", generation: 2, step: 4 });
    expect(did().events).toEqual(["restore refused 8", "restore begun 4", "restore done 4"]);
  });

  it("counts nobody as done with a last checkpoint that somebody refuses", () => {
    const { made, say, exit, fire, did, gather, save } = coordinator();
    const done = { type: "finished", generation: 2 } as const;
    gather([0, 1], 1);
    for (const step of [8, 12]) {
      save(0, "begun", step);
      save(0, "committed", step);
    }
    exit(1);
    say(0, { type: "drained", generation: 1 });
    say(1, { type: "hello" });
    for (const slot of [0, 1]) say(slot, { type: "joined", generation: 2 });
    // Rank 0 has loaded the end of the job.
    say(0, { type: "restored", generation: 2, step: 12 });
    say(0, { ...done, stateDigest: "refused" });
    say(1, { type: "refused", generation: 2, tag: "step-000012", reason: "torn" });
    // Sent again before the order to load the older one arrived.
    say(0, { ...done, stateDigest: "refused" });
    for (const slot of [1, 0]) say(slot, { type: "restored", generation: 2, step: 8 });
    did();
    say(1, { ...done, stateDigest: "right" });
    expect(made.phase).toBe("running");
    for (let beat = 0; beat < 2; beat++) fire("heartbeat");
    expect(did().events).toEqual(["detect heartbeat 0"]);
  });

  it("takes a newer checkpoint as the word of all that they have loaded, and one that is not as none", () => {
    const { made, say, exit, did, gather, save } = coordinator();
    gather([0, 1], 1);
    save(0, "begun", 4);
    save(0, "committed", 4);
    exit(1);
    say(0, { type: "drained", generation: 1 });
    say(1, { type: "hello" });
    for (const slot of [0, 1]) say(slot, { type: "joined", generation: 2 });
    say(0, { type: "restored", generation: 2, step: 4 });
    did();
    save(0, "begun", 4, 2);
    save(0, "committed", 4, 2);
    expect(made.phase).toBe("joining");
    // What rank 1 said is still on its way when all of step 8 is there.
    save(0, "begun", 8, 2);
    save(0, "committed", 8, 2);
    expect(made.phase).toBe("running");
    say(1, { type: "restored", generation: 2, step: 4 });
    expect(did().events).toEqual([
      "save begun 4",
      "save committed 4",
      "save begun 8",
      "restore done 4",
      "save committed 8",
    ]);
  });

  it("counts nobody as done whose word of loading is still on its way when a save proves it", () => {
    const { made, say, exit, did, gather, save } = coordinator();
    const done = { type: "finished", generation: 2 } as const;
    gather([0, 1], 1);
    for (const step of [8, 12]) {
      save(0, "begun", step);
      save(0, "committed", step);
    }
    exit(1);
    say(0, { type: "drained", generation: 1 });
    say(1, { type: "hello" });
    for (const slot of [0, 1]) say(slot, { type: "joined", generation: 2 });
    say(0, { type: "refused", generation: 2, tag: "step-000012", reason: "torn" });
    say(0, { type: "restored", generation: 2, step: 8 });
    save(0, "begun", 10, 2);
    save(0, "committed", 10, 2);
    // All of rank 1 comes late, and first what it said of the checkpoint that was refused.
    say(1, { type: "restored", generation: 2, step: 12 });
    say(1, { ...done, stateDigest: "refused" });
    say(0, { ...done, stateDigest: "right" });
    expect(made.phase).toBe("running");
    say(1, { type: "restored", generation: 2, step: 8 });
    say(1, { ...done, stateDigest: "right" });
    expect(did().events.at(-1)).toBe("finish");
  });

  it("is done when all have loaded the last checkpoint", () => {
    const { say, exit, did, gather, save } = coordinator();
    gather([0, 1], 1);
    save(0, "begun", 12);
    save(0, "committed", 12);
    exit(1);
    say(0, { type: "drained", generation: 1 });
    say(1, { type: "hello" });
    for (const slot of [0, 1]) say(slot, { type: "joined", generation: 2 });
    for (const slot of [0, 1]) {
      say(slot, { type: "restored", generation: 2, step: 12 });
      say(slot, { type: "finished", generation: 2, stateDigest: "right" });
    }
    expect(did().events.at(-1)).toBe("finish");
  });

  it("misses who is not done and falls silent", () => {
    const { say, fire, did, gather } = coordinator();
    gather([0, 1], 1);
    for (let beat = 0; beat < 2; beat++) {
      say(1, { type: "heartbeat", generation: 1, step: 0, phase: "training" });
      fire("heartbeat");
    }
    expect(did().events).toEqual(["detect heartbeat 0"]);
  });

  it("lets go who is done, and waits for the others", () => {
    const { made, say, exit, fire, did, gather, timers } = coordinator();
    gather([0, 1], 1);
    say(0, { type: "finished", generation: 1, stateDigest: "a" });
    exit(0);
    expect(made.phase).toBe("running");
    for (let beat = 0; beat < 3; beat++) {
      say(1, { type: "heartbeat", generation: 1, step: 0, phase: "training" });
      fire("heartbeat");
    }
    // Rank 1 is watched on; rank 0 is not missed.
    expect(timers.has("heartbeat")).toBe(true);
    say(1, { type: "finished", generation: 1, stateDigest: "a" });
    expect(did().events).toEqual(["finish"]);
  });

  it("starts nothing in a slot that is about to be taken away, until it is available", () => {
    const { say, tell, exit, did, gather } = coordinator({ action: "partialFlushThenExit" });
    gather([0, 1], 1);
    tell({ type: "preempt-notice", slots: [1], graceUs: 1000 });
    for (const slot of [0, 1]) say(slot, { type: "holding", generation: 1, step: 0 });
    expect(did().orders).toEqual([
      "preempt 0:1",
      "preempt 1:1",
      "go-to 0:1",
      "go-to 1:1",
      "abort 0:1",
      "stop 1:1",
    ]);
    say(0, { type: "drained", generation: 1 });
    exit(1);
    expect(did().orders).toEqual([]);
    tell({ type: "available", slots: [1] });
    expect(did().orders).toEqual(["start 1:2"]);
  });

  it("kills who was started and says nothing, and starts it once more", () => {
    const { say, exit, fire, did } = coordinator();
    say(0, { type: "hello" });
    did();
    fire("phase");
    expect(did()).toEqual({ orders: ["kill 1:1"], events: ["detect exit 1"] });
    exit(1);
    expect(did()).toEqual({ orders: ["start 1:2"], events: ["isolate"] });
  });

  it("does not start what it could not kill, and goes on without it where it may", () => {
    const shrinking = coordinator({ onFailure: "shrink" });
    const waiting = coordinator();
    for (const { say, fire, did, gather } of [shrinking, waiting]) {
      gather([0, 1], 1);
      say(0, { type: "trouble", generation: 1, cause: "peer", suspects: [1], reason: "reset" });
      say(0, { type: "drained", generation: 1 });
      fire("phase");
      did();
      fire("phase");
    }
    expect(shrinking.did().orders).toEqual(["assign 0:1"]);
    expect(waiting.did().orders).toEqual([]);
    waiting.exit(1);
    expect(waiting.did().orders).toEqual(["start 1:2"]);
  });

  it("uses a spare, and a slot that was lost only when it is available again", () => {
    const { made, say, tell, exit, did, gather } = coordinator({
      onFailure: "spare",
      spareNodes: 1,
    });
    gather([0, 1], 1);
    exit(1);
    say(0, { type: "drained", generation: 1 });
    expect(did().orders).toContain("start 2:1");
    gather([2, 0], 2);
    exit(2);
    say(0, { type: "drained", generation: 2 });
    expect(did().orders).toContain("start 3:1");
    tell({ type: "available", slots: [1] });
    gather([3, 0], 3);
    exit(3);
    say(0, { type: "drained", generation: 3 });
    expect(did().orders).toContain("start 1:2");
    gather([1, 0], 4);
    exit(1);
    say(0, { type: "drained", generation: 4 });
    expect(did().events.at(-1)).toBe("give up: no spare is left for 1 lost: rank 1 ended: SIGKILL");
    expect(made.phase).toBe("gave-up");
  });

  it("ends a save that nobody ends, and the generation with it", () => {
    const { fire, did, gather, save } = coordinator();
    gather([0, 1], 1);
    save(0, "begun", 4);
    fire("save");
    expect(did().events).toEqual(["save begun 4", "detect storage "]);
  });

  it("asks all to stop at the end, and kills who does not", () => {
    const { tell, exit, fire, did, gather } = coordinator();
    gather([0, 1], 1);
    tell({ type: "operator", action: "abort" });
    expect(did()).toEqual({
      orders: ["stop 0:1", "stop 1:1"],
      events: ["give up: the operator ended the job"],
    });
    exit(0);
    fire("stop");
    expect(did()).toEqual({ orders: ["kill 1:1"], events: [] });
  });
});
