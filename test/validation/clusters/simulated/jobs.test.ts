import { describe, expect, it } from "vitest";
import type { JobView } from "../../../../src/validation/clusters/cluster.ts";
import {
  type Driven,
  hourMs,
  minuteMs,
  quiet,
  requestFor,
  startCluster,
  testInTurn,
} from "./drive.ts";

const node = "sim-0001";

function jobOf({ cluster }: Driven, name: string): JobView | undefined {
  return cluster.view().jobs.find((job) => job.name === name);
}

function reasonsOf({ cluster }: Driven, name = node): readonly string[] {
  const found = cluster.view().nodes.find((one) => one.name === name);
  return found?.notFree.map(({ code }) => code) ?? ["no such node"];
}

async function submitted(options: Parameters<typeof startCluster>[0] = {}) {
  const driven = startCluster({ ...quiet, nodes: 4, ...options });
  const request = requestFor(driven, node);
  await driven.cluster.submit(request);
  return { ...driven, request, name: request.intent.jobName };
}

describe("a job of a simulated cluster", () => {
  it("waits for its pod, holds its node for about the check's minutes, and succeeds", async () => {
    const driven = await submitted();
    expect(jobOf(driven, driven.name)?.phase).toBe("pending");
    expect(reasonsOf(driven)).toEqual(["under-test"]);
    await driven.clock.advance(3 * minuteMs);
    const running = jobOf(driven, driven.name);
    expect(running?.phase).toBe("running");
    expect(running?.startedAtMs).toBeGreaterThan(running?.createdAtMs ?? 0);
    await driven.clock.advance(15 * minuteMs);
    expect(jobOf(driven, driven.name)?.phase).toBe("succeeded");
    expect(reasonsOf(driven)).toEqual([]);
    const [first] = driven.handIns;
    const { startedAtMs = 0, endedAtMs = 0 } = first?.result ?? {};
    expect((endedAtMs - startedAtMs) / minuteMs).toBeGreaterThan(7);
    expect((endedAtMs - startedAtMs) / minuteMs).toBeLessThan(13);
  });

  it("is forgotten an hour after its end, and not before", async () => {
    const driven = await submitted();
    await driven.clock.advance(hourMs);
    expect(jobOf(driven, driven.name)?.phase).toBe("succeeded");
    await driven.clock.advance(hourMs);
    expect(jobOf(driven, driven.name)).toBeUndefined();
  });

  it("is submitted once, however often", async () => {
    const driven = await submitted();
    await driven.clock.advance(5 * minuteMs);
    await driven.cluster.submit(driven.request);
    expect(driven.cluster.view().jobs).toHaveLength(1);
    expect(jobOf(driven, driven.name)?.phase).toBe("running");
  });

  it("waits, and says for what, while another job holds its node", async () => {
    const driven = await submitted();
    await driven.clock.advance(minuteMs);
    const second = requestFor(driven, node, "dl-unit");
    await driven.cluster.submit(second);
    const { phase, detail } = jobOf(driven, second.intent.jobName) ?? {};
    expect(phase).toBe("pending");
    expect(detail).toBe(`Unschedulable: check job ${driven.name} holds the node`);
    await driven.clock.advance(16 * minuteMs);
    expect(jobOf(driven, driven.name)?.phase).toBe("succeeded");
    expect(jobOf(driven, second.intent.jobName)?.phase).toBe("running");
  });

  it("waits for ever when its image does not come, until it is cancelled", async () => {
    const driven = await submitted({ podTrouble: { ...quiet.podTrouble, stuck: 1 } });
    await driven.clock.advance(100 * hourMs);
    const { phase, detail } = jobOf(driven, driven.name) ?? {};
    expect([phase, detail]).toEqual(["pending", "ImagePullBackOff: the registry does not answer"]);
    expect(reasonsOf(driven)).toEqual(["under-test"]);
    await driven.cluster.cancel(driven.name);
    await driven.clock.advance(minuteMs);
    expect(jobOf(driven, driven.name)).toBeUndefined();
    expect(reasonsOf(driven)).toEqual([]);
  });

  it("is gone for a moment when it is cancelled, then away, and hands in nothing", async () => {
    const driven = await submitted();
    await driven.clock.advance(5 * minuteMs);
    await driven.cluster.cancel(driven.name);
    await driven.cluster.cancel(driven.name);
    expect(jobOf(driven, driven.name)?.phase).toBe("gone");
    expect(reasonsOf(driven)).toEqual(["under-test"]);
    await driven.clock.advance(minuteMs);
    expect(jobOf(driven, driven.name)).toBeUndefined();
    expect(reasonsOf(driven)).toEqual([]);
    await driven.clock.advance(hourMs);
    expect(driven.handIns).toEqual([]);
  });

  it("is away at once when it waited for its node or had ended", async () => {
    const driven = await submitted();
    const second = requestFor(driven, node, "dl-unit");
    await driven.cluster.submit(second);
    await driven.cluster.cancel(second.intent.jobName);
    expect(jobOf(driven, second.intent.jobName)).toBeUndefined();
    await driven.clock.advance(30 * minuteMs);
    await driven.cluster.cancel(driven.name);
    expect(driven.cluster.view().jobs).toEqual([]);
    expect(reasonsOf(driven)).toEqual([]);
  });

  it("that is not there can be cancelled without an error", async () => {
    const { cluster } = startCluster({ ...quiet, nodes: 2 });
    await expect(cluster.cancel("tsr-nothing")).resolves.toBeUndefined();
  });

  it("fails without a result when a user's job takes its node", async () => {
    const driven = startCluster({ ...quiet, nodes: 8, utilisation: 1, jobHours: 0.5 });
    const failed = await untilFailed(driven, /^Preempted/);
    expect(failed.detail).toMatch(/^Preempted: job job-\w+-\d+ takes node sim-\d{4}$/);
    const after = driven.handIns.length;
    expect(driven.handIns.some(({ result }) => result.runId === failed.runId)).toBe(false);
    await driven.clock.advance(hourMs);
    expect(driven.handIns.slice(after).some(({ result }) => result.runId === failed.runId)).toBe(
      false,
    );
  });

  it("is seldom in a user's way while other nodes are idle", async () => {
    const users = { utilisation: 0.5, jobHours: 1 };
    const driven = startCluster({ ...quiet, ...users, nodes: 32, jobTtlMs: 100 * hourMs });
    await testInTurn(driven, { days: 1, inFlight: 4 });
    const { jobs } = driven.cluster.view();
    const preempted = jobs.filter(({ detail = "" }) => detail.startsWith("Preempted"));
    expect(jobs.length).toBeGreaterThan(200);
    expect(preempted.length / jobs.length).toBeLessThan(0.04);
  });

  it("fails without a result when its node stops answering", async () => {
    const driven = startCluster({ ...quiet, nodes: 8, lossesPer1000NodeDays: 5000 });
    const failed = await untilFailed(driven, /^NodeLost/);
    expect(failed.detail).toBe(`NodeLost: node ${failed.node} stopped answering`);
    expect(driven.handIns.some(({ result }) => result.runId === failed.runId)).toBe(false);
  });

  it("fails when an operator drains its node", async () => {
    const driven = startCluster({ ...quiet, nodes: 8, maintenancePer1000NodeDays: 5000 });
    const failed = await untilFailed(driven, /^Evicted/);
    expect(reasonsOf(driven, failed.node)).toContain("cordoned");
  });

  it.each([
    ["node", "sim-9999", "nccl-loopback", "there is no node sim-9999"],
    ["check", node, "host-compute", "check host-compute is not simulated"],
  ])("is refused for a %s that is not there", async (_, name, check, problem) => {
    const driven = startCluster({ ...quiet, nodes: 4 });
    await expect(driven.cluster.submit(requestFor(driven, name, check))).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
      message: expect.stringContaining(problem),
    });
    expect(driven.cluster.view().jobs).toEqual([]);
  });
});

/** Keeps every free node under test until a job fails in some way. */
async function untilFailed(driven: Driven, detail: RegExp): Promise<JobView> {
  for (let turn = 0; turn < 500; turn++) {
    const { nodes, jobs } = driven.cluster.view();
    const failed = jobs.find((job) => job.phase === "failed" && detail.test(job.detail ?? ""));
    if (failed !== undefined) return failed;
    for (const { name, notFree } of nodes) {
      if (notFree.length === 0) await driven.cluster.submit(requestFor(driven, name));
    }
    await driven.clock.advance(5 * minuteMs);
  }
  throw new Error(`no job failed with ${detail}`);
}
