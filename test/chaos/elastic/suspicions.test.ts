import { describe, expect, it } from "vitest";
import { coordinator } from "./lib/told-coordinator.ts";

describe("a coordinator that suspects", () => {
  it("blames nobody when it hears of few, and those who are silent when they are few", () => {
    const few = coordinator({ dp: 4 });
    const most = coordinator({ dp: 4 });
    const beat = { type: "heartbeat", generation: 1, step: 0, phase: "training" } as const;
    for (const { gather } of [few, most]) gather([0, 1, 2, 3], 1);
    for (const slot of [0, 1, 2]) few.say(slot, beat);
    most.say(0, beat);
    for (const { fire } of [few, most]) fire("heartbeat");
    for (const slot of [0, 1, 2]) few.say(slot, beat);
    most.say(0, beat);
    for (const { fire } of [few, most]) fire("heartbeat");
    expect(few.did().events).toEqual(["detect heartbeat 3"]);
    expect(most.did().events).toEqual(["detect heartbeat "]);
    // The link is back: all have stopped, and all go on.
    for (const slot of [0, 1, 2, 3]) most.say(slot, { type: "drained", generation: 1 });
    expect(most.did().orders).toEqual([0, 1, 2, 3].map((slot) => `assign ${slot}:1`));
  });

  it("starts the last replica again when it is suspected, and gives up when it is gone", () => {
    const suspected = coordinator({ onFailure: "shrink", dp: 1, pp: 2 });
    const gone = coordinator({ onFailure: "shrink", dp: 1, pp: 2 });
    for (const { gather } of [suspected, gone]) gather([0, 1], 1);
    const trouble = { type: "trouble", generation: 1, suspects: [1], reason: "late" } as const;
    suspected.say(0, { ...trouble, cause: "collective" });
    for (const slot of [0, 1]) suspected.say(slot, { type: "drained", generation: 1 });
    suspected.exit(1);
    expect(suspected.did().orders.slice(2)).toEqual(["kill 1:1", "start 1:2"]);
    gone.exit(1);
    gone.say(0, { type: "drained", generation: 1 });
    expect(gone.did().events.at(-1)).toBe(
      "give up: no whole replica is left: rank 1 ended: SIGKILL",
    );
  });

  it("gives up a suspected last replica too when its slot turns out to be gone", () => {
    const { say, tell, exit, did, gather } = coordinator({ onFailure: "shrink", dp: 1, pp: 2 });
    gather([0, 1], 1);
    const trouble = { type: "trouble", generation: 1, suspects: [1], reason: "late" } as const;
    say(0, { ...trouble, cause: "peer" });
    for (const slot of [0, 1]) say(slot, { type: "drained", generation: 1 });
    exit(1);
    tell({ type: "unavailable", slot: 1, reason: "no such device" });
    expect(did().events.at(-1)).toMatch(/^give up: no whole replica is left/);
  });

  it("takes a replica back that it did without for a suspicion, when the last one is gone", () => {
    const choices = { onFailure: "shrink", dp: 2, pp: 1 } as const;
    const [suspected, gone] = [coordinator(choices), coordinator(choices)];
    for (const { gather } of [suspected, gone]) gather([0, 1], 1);
    const trouble = { type: "trouble", generation: 1, suspects: [1], reason: "late" } as const;
    suspected.say(0, { ...trouble, cause: "collective" });
    for (const slot of [0, 1]) suspected.say(slot, { type: "drained", generation: 1 });
    for (const { exit } of [suspected, gone]) exit(1);
    gone.say(0, { type: "drained", generation: 1 });
    for (const { gather, exit } of [suspected, gone]) {
      gather([0], 2);
      exit(0);
    }
    expect(suspected.did().orders).toEqual(["start 1:2"]);
    expect(gone.did().events.at(-1)).toMatch(/^give up: no whole replica is left/);
    // It is not kept twice: when it is gone too, nothing is left.
    suspected.gather([1], 3);
    suspected.exit(1);
    expect(suspected.did().events.at(-1)).toMatch(/^give up: no whole replica is left/);
  });

  it("takes no replica back whose slot cannot be used", () => {
    const { say, tell, exit, did, gather } = coordinator({ onFailure: "shrink" });
    gather([0, 1], 1);
    const trouble = { type: "trouble", generation: 1, suspects: [1], reason: "late" } as const;
    say(0, { ...trouble, cause: "collective" });
    for (const slot of [0, 1]) say(slot, { type: "drained", generation: 1 });
    exit(1);
    gather([0], 2);
    tell({ type: "unavailable", slot: 1, reason: "no such device" });
    exit(0);
    expect(did().events.at(-1)).toMatch(/^give up: no whole replica is left/);
  });

  it("does not wait for a suspect whose slot was lost while all stopped", () => {
    const { say, tell, exit, fire, did, gather } = coordinator({ onFailure: "shrink" });
    gather([0, 1], 1);
    say(0, { type: "trouble", generation: 1, cause: "peer", suspects: [], reason: "reset" });
    fire("phase");
    for (const slot of [0, 1]) exit(slot);
    expect(did().orders.slice(-2)).toEqual(["start 0:2", "start 1:2"]);
    say(0, { type: "hello" });
    tell({ type: "preempt-notice", slots: [0], graceUs: 1000 });
    tell({ type: "unavailable", slot: 1, reason: "no such device" });
    exit(0);
    expect(did().events.at(-1)).toMatch(/^give up: no whole replica is left/);
  });

  it("takes a place back that a spare got for a suspicion, after all other spares", () => {
    const choices = { onFailure: "spare", spareNodes: 1 } as const;
    const { say, exit, did, gather } = coordinator(choices);
    gather([0, 1], 1);
    const trouble = { type: "trouble", generation: 1, suspects: [1], reason: "late" } as const;
    say(0, { ...trouble, cause: "collective" });
    for (const slot of [0, 1]) say(slot, { type: "drained", generation: 1 });
    exit(1);
    for (const [generation, slot] of [2, 3, 1].entries()) {
      expect(did().orders).toContain(`start ${slot}:${slot === 1 ? 2 : 1}`);
      gather([0, slot], generation + 2);
      exit(slot);
      say(0, { type: "drained", generation: generation + 2 });
    }
    expect(did().events.at(-1)).toMatch(/^give up: no spare is left/);
  });
});
