import { describe, expect, it } from "vitest";
import { RecoveryTracker } from "../../../../src/hardware/harness/recovery/index.ts";

const open = { cordoned: false, by: "nobody", detected: false };
const marked = { cordoned: false, by: "nobody", detected: true };
const closed = { cordoned: true, by: "tessera", detected: true };

function pod(name: string, node: string | undefined, serving: boolean, terminating = false) {
  return { name, serving, terminating, ...(node === undefined ? {} : { node }) };
}

function tracker(): RecoveryTracker {
  const made = new RecoveryTracker({ node: "a", podsWanted: 1 });
  made.observe({ kind: "node", atMs: 0, node: open });
  made.observe({ kind: "pods", atMs: 0, pods: [pod("p", "a", true)] });
  return made;
}

describe("the phases of a recovery", () => {
  it("are over when each is first seen, counted from the fault", () => {
    const made = tracker();
    made.injected(1000);
    made.observe({ kind: "node", atMs: 1500, node: marked });
    made.observe({ kind: "node", atMs: 1800, node: closed });
    made.observe({
      kind: "pods",
      atMs: 2000,
      pods: [pod("p", "a", false, true), pod("q", undefined, false)],
    });
    made.observe({ kind: "pods", atMs: 3000, pods: [pod("q", "b", false)] });
    made.observe({ kind: "pods", atMs: 4000, pods: [pod("q", "b", true)] });
    expect(made.times).toEqual({
      detect: 500,
      cordon: 800,
      drain: 2000,
      reschedule: 2000,
      serving: 3000,
    });
    expect(made.cordonedBy).toBe("tessera");
  });

  it("do not begin before the fault", () => {
    const made = tracker();
    made.observe({ kind: "node", atMs: 500, node: closed });
    made.observe({ kind: "pods", atMs: 600, pods: [pod("q", "b", true)] });
    expect(Object.values(made.times)).toEqual([null, null, null, null, null]);
  });

  it("take a pod without a node for neither rescheduled nor serving", () => {
    const made = tracker();
    made.injected(1000);
    made.observe({ kind: "node", atMs: 1100, node: closed });
    made.observe({ kind: "pods", atMs: 1200, pods: [pod("q", undefined, false)] });
    expect(made.times).toMatchObject({ drain: 200, reschedule: null, serving: null });
  });

  it("take a pod that serves on the broken node for no recovery", () => {
    const made = tracker();
    made.injected(1000);
    made.observe({ kind: "node", atMs: 1100, node: closed });
    expect(made.times).toMatchObject({ drain: null, reschedule: null, serving: null });
  });

  it("do not take a cordon from before the fault for the fault's doing", () => {
    const made = new RecoveryTracker({ node: "a", podsWanted: 1 });
    const byHand = { cordoned: true, by: "other", detected: false };
    made.observe({ kind: "node", atMs: 0, node: byHand });
    made.injected(100);
    made.observe({ kind: "node", atMs: 200, node: byHand });
    expect(made.times.cordon).toBeNull();
    made.observe({ kind: "node", atMs: 300, node: { ...byHand, detected: true } });
    expect(made.times).toMatchObject({ detect: 200, cordon: 200 });
  });

  it("do not take somebody else's cordon for a detection", () => {
    const made = tracker();
    made.injected(1000);
    made.observe({ kind: "node", atMs: 1100, node: { ...open, cordoned: true, by: "other" } });
    expect(made.times).toMatchObject({ detect: null, cordon: 100 });
    expect(made.cordonedBy).toBe("other");
  });

  it("keep no more lines than allowed, and say how many are missing", () => {
    const made = new RecoveryTracker({ node: "a", podsWanted: 1, eventsMax: 2 });
    for (let at = 0; at < 5; at++) {
      made.observe({ kind: "pods", atMs: at, pods: [pod(`p${at}`, "a", true)] });
    }
    expect(made.events).toHaveLength(3);
    expect(made.events.at(-1)?.text).toBe("7 more");
  });
});
