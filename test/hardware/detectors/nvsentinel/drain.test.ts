import { describe, expect, it } from "vitest";
import {
  type DrainMode,
  type DrainPod,
  drainDefaults,
  nextDrainStep,
  skipReason,
} from "../../../../src/hardware/detectors/nvsentinel/drain.ts";
import { runningPod } from "../support/fake-nodes.ts";

const nowMs = Date.parse("2026-11-15T10:00:00Z");
const settings = (mode: DrainMode) => ({ ...drainDefaults, namespaces: [{ name: "*", mode }] });
const step = (pods: readonly DrainPod[], mode: DrainMode, eventAtMs = nowMs) =>
  nextDrainStep(pods, { settings: settings(mode), eventAtMs, nowMs });
const pod = runningPod("n1", "worker");
const unready = (since: string) =>
  runningPod("n1", "crashing", {
    status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: since }] },
  });

describe("nextDrainStep", () => {
  it("evicts nobody by default, for ever", () => {
    const later = nextDrainStep([pod], {
      settings: drainDefaults,
      eventAtMs: nowMs - 1_000_000_000,
      nowMs,
    });
    expect(later).toMatchObject({ kind: "wait", reason: "AwaitingPodCompletion" });
  });

  it("evicts at once where it is told so", () => {
    expect(step([pod], "Immediate")).toMatchObject({ kind: "evict", pods: [pod] });
  });

  it("deletes when the time is up, not before", () => {
    const early = step([pod], "DeleteAfterTimeout", nowMs - 3_599_999);
    expect(early).toMatchObject({ kind: "wait", reason: "WaitingBeforeForceDelete" });
    expect(step([pod], "DeleteAfterTimeout", nowMs - 3_600_000).kind).toBe("delete");
  });

  it("takes the first rule that matches a namespace, and evictions first", () => {
    const mixed = {
      ...drainDefaults,
      namespaces: [
        { name: "team-*", mode: "Immediate" as const },
        { name: "*", mode: "AllowCompletion" as const },
      ],
    };
    const own = runningPod("n1", "own", { namespace: "team-a" });
    const all = nextDrainStep([pod, own], { settings: mixed, eventAtMs: nowMs, nowMs });
    expect(all).toMatchObject({ kind: "evict", pods: [own] });
  });

  it("is done when only pods are left that it skips: also one that crashes for long", () => {
    const skipped = [
      runningPod("n1", "daemon", { owner: { kind: "DaemonSet", name: "d" } }),
      runningPod("n1", "done", { status: { phase: "Succeeded" } }),
      runningPod("n1", "system", { namespace: "kube-system" }),
      unready("2026-11-15T09:54:59Z"),
    ];
    expect(step(skipped, "Immediate")).toEqual({ kind: "done" });
    expect(step([unready("2026-11-15T09:55:01Z")], "Immediate").kind).toBe("evict");
  });

  it("waits for a pod that terminates in time and gives up one that is stuck", () => {
    const leaving = (deletionTimestamp: string): DrainPod => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp },
    });
    expect(skipReason(leaving("2026-11-15T09:59:40Z"), drainDefaults, nowMs)).toBeUndefined();
    expect(skipReason(leaving("2026-11-15T09:59:29Z"), drainDefaults, nowMs)).toMatch(/stuck/);
  });
});
