import { describe, expect, it } from "vitest";
import { node, ownJob, see } from "./support/slurm-parts.ts";

const view = (more: Parameters<typeof ownJob>[0], cancelledForMs?: number) => {
  const cancelled =
    cancelledForMs === undefined ? [] : ([[ownJob().name, cancelledForMs]] as const);
  return see({ jobs: [ownJob(more)] }, {}, new Map(cancelled)).jobs[0];
};

describe("a job of ours", () => {
  it.each([
    [{ state: "PENDING", reason: "Resources" }, "pending", "its node is in use (Resources)"],
    [
      { state: "PENDING", reason: "ReqNodeNotAvail, UnavailableNodes:g0" },
      "pending",
      /not available/,
    ],
    [{ state: "PENDING", reason: "" }, "pending", "it waits for the scheduler"],
    [{ state: "PENDING", reason: "SomethingNew" }, "pending", "SomethingNew"],
    [{ state: "RUNNING", flags: ["CONFIGURING"] }, "pending", "its node is being prepared"],
    [{ state: "RUNNING" }, "running", undefined],
    [{ state: "COMPLETED", flags: ["COMPLETING"] }, "running", "it is being ended"],
    [{ state: "COMPLETED" }, "succeeded", undefined],
    [{ state: "FAILED", exitCode: 3 }, "failed", "exit code 3"],
    [{ state: "FAILED", exitSignal: 9 }, "failed", "ended by signal 9"],
    [
      { state: "FAILED", reason: "RaisedSignal:53" },
      "failed",
      "its state is FAILED, RaisedSignal:53",
    ],
    [{ state: "NODE_FAIL" }, "failed", "its node failed"],
    [{ state: "TIMEOUT" }, "failed", "it reached its time limit"],
    [{ state: "OUT_OF_MEMORY", exitCode: 125 }, "failed", "it ran out of memory, exit code 125"],
    [{ state: "CANCELLED" }, "failed", "somebody else cancelled it"],
  ] as const)("that is %j is %s", (more, phase, detail) => {
    const seen = view(more);
    expect(seen?.phase).toBe(phase);
    if (detail === undefined) expect(seen?.detail).toBeUndefined();
    else expect(seen?.detail).toMatch(detail);
    expect(seen?.preempted).toBeUndefined();
  });

  it("says that users' work pushed it out, also when it ended by itself in its time of grace", () => {
    expect(view({ state: "PREEMPTED" })).toMatchObject({ phase: "failed", preempted: true });
    const grace = view({ state: "FAILED", exitCode: 1, preemptedAtMs: 5 });
    expect(grace).toMatchObject({ phase: "failed", preempted: true });
    expect(view({ state: "COMPLETED", preemptedAtMs: 5 })).toMatchObject({ phase: "succeeded" });
  });

  it("that somebody else cancelled says whether it had begun", () => {
    expect(view({ state: "CANCELLED", nodes: [] })).toMatchObject({
      phase: "failed",
      detail: "somebody else cancelled it before it began",
      neverBegan: true,
    });
    expect(view({ state: "CANCELLED" })?.neverBegan).toBeUndefined();
  });

  it("that we cancelled is going until it is gone, and then not shown", () => {
    expect(view({ state: "RUNNING" }, 0)?.phase).toBe("gone");
    expect(view({ state: "CANCELLED", flags: ["COMPLETING"] }, 60_000)?.phase).toBe("gone");
    expect(view({ state: "CANCELLED" }, 0)).toBeUndefined();
    expect(view({ state: "CANCELLED" }, 60_000)).toBeUndefined();
  });

  it("that goes on though we cancelled it is shown as it is: nobody heard of that", () => {
    expect(view({ state: "RUNNING" }, 60_000)?.phase).toBe("running");
    expect(view({ state: "PENDING" }, 60_000)?.phase).toBe("pending");
  });

  it("has failed when its node left the cluster, or hangs on a node that does not answer", () => {
    const jobs = [ownJob({ nodes: ["g9"], requestedNodes: ["g9"] })];
    expect(see({ jobs }).jobs[0]).toMatchObject({ phase: "failed", node: "g9" });
    const dead = [node({ state: "DOWN", flags: ["NOT_RESPONDING"] })];
    const hanging = [ownJob({ state: "NODE_FAIL", flags: ["COMPLETING"] })];
    expect(see({ nodes: dead, jobs: hanging }).jobs[0]?.phase).toBe("failed");
    expect(see({ jobs: hanging }).jobs[0]?.phase).toBe("running");
  });

  it("is shown once, by the copy that runs, else by the oldest", () => {
    const waiting = ownJob({ id: 1, state: "PENDING" });
    const running = ownJob({ id: 2 });
    expect(see({ jobs: [waiting, running] }).jobs).toMatchObject([{ phase: "running" }]);
    const ended = ownJob({ id: 3, state: "COMPLETED" });
    expect(see({ jobs: [waiting, ended] }).jobs).toMatchObject([{ phase: "succeeded" }]);
    const newer = ownJob({ id: 4, state: "PENDING", reason: "Dependency" });
    expect(see({ jobs: [newer, waiting] }).jobs).toHaveLength(1);
  });
});
