import { describe, expect, it } from "vitest";
import { hourS, replayWishes, smallLog } from "./small-log.ts";

const crash = (t: number, node: string, job: string, defect?: string) => ({
  type: "crash",
  t,
  node,
  job,
  ...(defect === undefined ? {} : { defect }),
});

describe("crashes in a replay", () => {
  it("with the same time and job are one crash of all its nodes", () => {
    const log = smallLog([crash(100, "c", "j1"), crash(100, "b", "j2"), crash(100, "a", "j1")]);
    expect(replayWishes(log, []).policy.all("crash")).toEqual([
      { type: "crash", t: 100, job: "j1", nodes: [2, 0] },
      { type: "crash", t: 100, job: "j2", nodes: [1] },
    ]);
  });

  it("of the same job at another time are other crashes: it was restarted in place", () => {
    const log = smallLog([crash(100, "a", "j1"), crash(101, "a", "j1")]);
    expect(
      replayWishes(log, [])
        .policy.all("crash")
        .map(({ t }) => t),
    ).toEqual([100, 101]);
  });

  it("do not happen on any node once their cause is over, whichever line names it", () => {
    const log = smallLog([
      { type: "defect", t: 0, node: "a", id: "d1", kind: "bad" },
      crash(1800, "a", "j1", "d1"),
      crash(1800, "b", "j1"),
      crash(30 * hourS, "a", "j2", "d1"),
      crash(30 * hourS, "b", "j2"),
      crash(31 * hourS, "b", "j3"),
    ]);
    const seenWith = (wishes: Parameters<typeof replayWishes>[1]) =>
      replayWishes(log, wishes)
        .policy.all("crash")
        .map(({ job }) => job);
    expect(seenWith([])).toEqual(["j1", "j2", "j3"]);
    expect(seenWith([{ atS: 0, node: 0 }])).toEqual(["j1", "j3"]);
  });

  it("of a job whose other node is away are seen without that node", () => {
    const log = smallLog([
      { type: "defect", t: 0, node: "a", id: "d1", kind: "bad" },
      crash(2 * hourS, "a", "j1"),
      crash(2 * hourS, "b", "j1"),
    ]);
    const { policy } = replayWishes(log, [{ atS: 0, node: 0 }]);
    expect(policy.all("crash")).toMatchObject([{ nodes: [1] }]);
  });

  it("show no policy their cause", () => {
    const log = smallLog([
      { type: "defect", t: 0, node: "a", id: "d1", kind: "bad" },
      crash(100, "a", "j1", "d1"),
      { type: "kernel", t: 100, node: "a", xid: 79, defect: "d1" },
      { type: "repair", t: 200, node: "a", defect: "d1" },
    ]);
    const { policy } = replayWishes(log, []);
    expect(policy.seen).toHaveLength(3);
    expect(JSON.stringify(policy.seen)).not.toMatch(/d1|bad|cause|defect/);
  });
});
