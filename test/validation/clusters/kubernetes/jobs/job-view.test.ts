import { describe, expect, it } from "vitest";
import {
  jobView,
  type NodeOfJob,
} from "../../../../../src/validation/clusters/kubernetes/jobs/job-view.ts";
import { ownPod } from "../../../../../src/validation/clusters/kubernetes/jobs/own-pod.ts";
import {
  projectJob,
  projectVolcanoJob,
} from "../../../../../src/validation/clusters/kubernetes/jobs/project-job.ts";
import type {
  Condition,
  ContainerState,
  PodObject,
} from "../../../../../src/validation/clusters/kubernetes/objects.ts";

const createdAt = "2026-03-01T12:00:00Z";
const startedAt = "2026-03-01T12:00:07Z";

function job(conditions: readonly Condition[] = [], more: object = {}) {
  return projectJob({
    metadata: {
      name: "tsr-a",
      creationTimestamp: createdAt,
      labels: { "tessera.dev/run-id": "r1", "tessera.dev/node": "shortened" },
      annotations: { "tessera.dev/node": "gpu-1" },
      ...more,
    },
    status: { conditions },
  });
}

const condition = (type: string, reason = "", message = ""): Condition => ({
  type,
  status: "True",
  reason,
  message,
});

function volcano(phase: string, message?: string) {
  const state = { phase, ...(message === undefined ? {} : { message }) };
  return projectVolcanoJob({ metadata: { name: "tsr-a" }, status: { state } });
}

function pod(
  status: PodObject["status"],
  more: Partial<PodObject["metadata"]> = {},
  spec: PodObject["spec"] = { nodeName: "gpu-1" },
) {
  const metadata = { labels: { "tessera.dev/run-id": "r1" }, ...more };
  return ownPod({ metadata, spec, ...(status === undefined ? {} : { status }) });
}

const container = (state: ContainerState) => ({ containerStatuses: [{ name: "check", state }] });
const running = pod({ phase: "Running", ...container({ running: { startedAt } }) });
const ready: NodeOfJob = { state: "ready" };
const dead: NodeOfJob = { state: "not-ready", why: "Kubelet stopped posting node status." };

describe("where a job stands", () => {
  it("takes run, node and times from the job and its pod", () => {
    expect(jobView(job(), [running], ready)).toEqual({
      name: "tsr-a",
      runId: "r1",
      node: "gpu-1",
      phase: "running",
      createdAtMs: Date.parse(createdAt),
      startedAtMs: Date.parse(startedAt),
    });
  });

  it.each([
    ["no pod", [], "pending", "it has no pod yet"],
    [
      "a pod no node can take",
      [
        pod(
          {
            phase: "Pending",
            conditions: [
              {
                type: "PodScheduled",
                status: "False",
                reason: "Unschedulable",
                message: "0/50 nodes are available",
              },
            ],
          },
          {},
          {},
        ),
      ],
      "pending",
      "Unschedulable: 0/50 nodes are available",
    ],
    [
      "an image that cannot be pulled",
      [
        pod({
          phase: "Pending",
          ...container({
            waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" },
          }),
        }),
      ],
      "pending",
      "ImagePullBackOff: Back-off pulling image",
    ],
    [
      "a container in the making",
      [pod({ phase: "Pending" })],
      "pending",
      "its container is prepared",
    ],
    [
      "a pod that ended well before the job says so",
      [pod({ phase: "Succeeded" })],
      "succeeded",
      undefined,
    ],
    [
      "an exit code",
      [pod({ phase: "Failed", ...container({ terminated: { exitCode: 3, reason: "Error" } }) })],
      "failed",
      "exit code 3",
    ],
    [
      "a signal",
      [pod({ phase: "Failed", ...container({ terminated: { exitCode: 139, reason: "Error" } }) })],
      "failed",
      "exit code 139 (SIGSEGV)",
    ],
    [
      "a lack of memory",
      [
        pod({
          phase: "Failed",
          ...container({ terminated: { exitCode: 137, reason: "OOMKilled" } }),
        }),
      ],
      "failed",
      "exit code 137 (SIGKILL), OOMKilled",
    ],
    [
      "last words",
      [
        pod({
          phase: "Failed",
          ...container({ terminated: { exitCode: 1, message: "no\n disk" } }),
        }),
      ],
      "failed",
      "exit code 1: no disk",
    ],
    [
      "an eviction",
      [pod({ phase: "Failed", reason: "Evicted", message: "The node was low on memory." })],
      "failed",
      "Evicted: The node was low on memory.",
    ],
    ["a lost node", [pod({ phase: "Failed", reason: "NodeLost" })], "failed", "NodeLost"],
    ["nothing to go by", [pod({ phase: "Failed" })], "failed", "the pod failed without a reason"],
  ] as const)("with %s", (_, pods, phase, detail) => {
    const view = jobView(job(), pods, ready);
    expect([view.phase, view.detail]).toEqual([phase, detail]);
  });

  it("follows the job's own word over the pod's", () => {
    expect(jobView(job([condition("Complete")]), [running], ready).phase).toBe("succeeded");
    const late = job([condition("Failed", "DeadlineExceeded", "Job was active too long")]);
    expect(jobView(late, [], ready)).toMatchObject({
      phase: "failed",
      detail: "DeadlineExceeded: Job was active too long",
    });
    expect(jobView(job([], { deletionTimestamp: createdAt }), [running], ready).phase).toBe("gone");
  });

  it("looks at the newest pod", () => {
    const old = pod({ phase: "Failed", reason: "Evicted" }, { creationTimestamp: createdAt });
    const young = { ...running, createdAtMs: Date.parse(startedAt) };
    expect(jobView(job(), [young, old], ready).phase).toBe("running");
  });

  it("does not wait for a pod that cannot end on a node that does not answer", () => {
    const ending = { ...running, ending: true };
    expect(jobView(job(), [ending], ready)).toMatchObject({ phase: "running" });
    expect(jobView(job(), [ending], dead)).toMatchObject({
      phase: "failed",
      detail:
        "its pod is being ended; node gpu-1 is not ready: Kubelet stopped posting node status.",
    });
    // The job is to fail and only waits for its pods: that is decided, whatever the node does.
    const target = job([condition("FailureTarget", "BackoffLimitExceeded")]);
    expect(jobView(target, [ending], ready).phase).toBe("failed");
  });

  it("keeps a running job running while its node is silent, and says so", () => {
    expect(jobView(job(), [running], dead)).toMatchObject({
      phase: "running",
      detail: expect.stringContaining("gpu-1 is not ready"),
    });
  });

  it("fails a job whose node is gone, but not one whose node is only out of sight", () => {
    expect(jobView(job(), [running], { state: "gone" })).toMatchObject({
      phase: "failed",
      detail: "node gpu-1 has left the cluster",
    });
    expect(jobView(job(), [running], { state: "unseen" }).phase).toBe("running");
    const ending = { ...running, ending: true };
    expect(jobView(job(), [ending], { state: "unseen" }).phase).toBe("failed");
  });

  it.each([
    ["", "pending", "it has no pod yet"],
    ["Pending", "pending", "Volcano: Pending: queue is full"],
    ["Running", "pending", "it has no pod yet"],
    ["Completed", "succeeded", undefined],
    ["Completing", "succeeded", undefined],
    ["Failed", "failed", "Volcano: Failed: queue is full"],
    ["Aborted", "failed", "Volcano: Aborted: queue is full"],
    ["Terminating", "failed", "Volcano: Terminating: queue is full"],
    ["Terminated", "failed", "Volcano: Terminated: queue is full"],
    ["Restarting", "pending", "Volcano: Restarting: queue is full"],
  ])("in Volcano's phase %s is %s", (phase, expected, detail) => {
    const view = jobView(volcano(phase, "queue is full"), [], ready);
    expect([view.phase, view.detail]).toEqual([expected, detail]);
  });

  it("cuts endless words short", () => {
    const message = "x".repeat(5_000);
    const { detail = "" } = pod({ phase: "Failed", reason: "Evicted", message });
    expect(detail.length).toBeLessThan(500);
  });
});
