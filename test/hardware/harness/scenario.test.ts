import { describe, expect, it } from "vitest";
import { runScenario, type ScenarioOptions } from "../../../src/hardware/harness/index.ts";
import { marks, ownCondition } from "../../../src/hardware/objects/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { FakeCluster, gpuPod, readyNode } from "./lib/fake-cluster.ts";
import { FakeFaults } from "./lib/fake-faults.ts";

/** What our own detector makes of the node. */
function closedNode() {
  const open = readyNode("gpu-1", { unschedulable: true });
  const condition = { type: ownCondition, status: "True" };
  return {
    ...open,
    metadata: { name: "gpu-1", annotations: { [marks.cordonedBy]: "0123456789ab" } },
    status: { conditions: [...(open.status?.conditions ?? []), condition] },
  };
}

function setUp(more: Partial<ScenarioOptions> = {}, { asks = true } = {}) {
  const clock = new VirtualClock();
  const cluster = new FakeCluster();
  const faults = new FakeFaults();
  const said: string[] = [];
  let serves = true;
  faults.onInject = ({ action }) => {
    if (action.kind === "passthrough") {
      cluster.become({ pods: [gpuPod("server-2", "gpu-1", { shim: true })] });
    }
    if (action.kind === "cuda") serves = false;
  };
  const options: ScenarioOptions = {
    namespace: "shop",
    workload: "server",
    enableHwFaults: true,
    client: cluster.client,
    api: faults,
    clock,
    ...(asks ? { request: async () => serves } : {}),
    baselineMs: 10_000,
    afterMs: 20_000,
    detectorTimeoutMs: 20_000,
    recoveryTimeoutMs: 20_000,
    onProgress: (text) => said.push(text),
    ...more,
  };
  const recover = () => {
    serves = true;
  };
  /** Lets time pass until the scenario is over. */
  const run = async () => {
    const running = runScenario(options);
    const over = { yet: false };
    const mark = () => {
      over.yet = true;
    };
    running.then(mark, mark);
    for (let turn = 0; turn < 2000 && !over.yet; turn++) await clock.advance(100);
    return await running;
  };
  return { clock, cluster, faults, said, recover, run };
}

describe("the scenario of a lost GPU", () => {
  it("passes when the node is cordoned and the service is back elsewhere", async () => {
    const { clock, cluster, faults, recover, run } = setUp();
    const prepare = faults.onInject;
    faults.onInject = (request) => {
      prepare(request);
      if (request.action.kind !== "xid") return;
      clock.setTimer(2000, () => cluster.become({ nodes: [closedNode(), readyNode("gpu-2")] }));
      clock.setTimer(5000, () => {
        recover();
        cluster.become({ pods: [gpuPod("server-3", "gpu-2")] });
      });
    };
    const result = await run();
    expect(result.judgement, result.judgement.reason).toMatchObject({ outcome: "pass" });
    expect(result.node).toBe("gpu-1");
    const { times, shares, cordonedBy } = result.record ?? {};
    expect(times).toMatchObject({ detect: 2000, cordon: 2000, drain: 5000, reschedule: 5000 });
    expect(times?.serving).toBeGreaterThanOrEqual(5000);
    expect(cordonedBy).toBe("tessera");
    expect(shares?.before.share).toBe(1);
    expect(shares?.during.share).toBeLessThan(0.2);
    expect(shares?.after.low).toBeGreaterThan(0.9);
    expect(faults.calls).toContain(`revertRun ${result.run}`);
  });

  it("fails when nobody cordons the node, and takes everything back", async () => {
    const { faults, run } = setUp();
    const result = await run();
    expect(result.judgement).toMatchObject({
      outcome: "fail",
      reason: expect.stringMatching(/never seen/),
    });
    expect(result.notes.join()).toContain("The cordon of node gpu-1 did not happen");
    expect([...faults.faults.values()].every(({ state }) => state === "reverted")).toBe(true);
  });

  it("fails when the pods never serve elsewhere", async () => {
    const { clock, cluster, faults, run } = setUp();
    const prepare = faults.onInject;
    faults.onInject = (request) => {
      prepare(request);
      if (request.action.kind !== "xid") return;
      clock.setTimer(1000, () => {
        const pods = [gpuPod("server-3", undefined, { phase: "Pending", ready: false })];
        cluster.become({ nodes: [closedNode(), readyNode("gpu-2")], pods });
      });
    };
    const result = await run();
    expect(result.judgement.outcome).toBe("fail");
    expect(result.record?.times).toMatchObject({ drain: 1000, reschedule: null, serving: null });
    expect(result.notes.join()).toContain("is on no node yet");
  });

  it("passes a non-fatal XID that cordons nothing, and fails when it does", async () => {
    const quiet = setUp({ xid: 43 });
    const prepare = quiet.faults.onInject;
    quiet.faults.onInject = (request) => {
      prepare(request);
      if (request.action.kind === "cuda") quiet.clock.setTimer(3000, quiet.recover);
    };
    const result = await quiet.run();
    expect(result.judgement, result.judgement.reason).toMatchObject({ outcome: "pass" });
    expect(result.record?.cordonedBy).toBeNull();

    const loud = setUp({ xid: 43 });
    const prepareLoud = loud.faults.onInject;
    loud.faults.onInject = (request) => {
      prepareLoud(request);
      if (request.action.kind !== "xid") return;
      loud.clock.setTimer(1000, () => {
        loud.recover();
        loud.cluster.become({
          nodes: [closedNode(), readyNode("gpu-2")],
          pods: [gpuPod("s", "gpu-2")],
        });
      });
    };
    expect((await loud.run()).judgement.outcome).toBe("fail");
  });

  it.each([
    ["passes", "come back", true],
    ["fails", "do not come back", false],
  ])("%s a non-fatal XID whose pods %s, where nobody asks the service", async (_, __, isBack) => {
    const { clock, cluster, faults, run } = setUp(
      { xid: 43, readyTimeoutMs: 10_000 },
      { asks: false },
    );
    const prepare = faults.onInject;
    faults.onInject = (request) => {
      prepare(request);
      if (request.action.kind !== "xid") return;
      const down = gpuPod("server-2", "gpu-1", { shim: true, ready: false });
      clock.setTimer(1000, () => cluster.become({ pods: [down] }));
      const up = gpuPod("server-2", "gpu-1", { shim: true });
      if (isBack) clock.setTimer(3000, () => cluster.become({ pods: [up] }));
    };
    const result = await run();
    const { outcome, reason } = result.judgement;
    expect(outcome, reason).toBe(isBack ? "pass" : "fail");
    if (!isBack) expect(reason).toContain("serving");
    expect(result.notes).toHaveLength(isBack ? 0 : 1);
  });

  it("proves nothing where the service could never be asked", async () => {
    const ask = () => Promise.reject(new Error("no route to the API server"));
    const result = await setUp({ xid: 43, request: ask }).run();
    expect(result.judgement.outcome).toBe("inconclusive");
    expect(result.judgement.reason).toContain("could not be asked");
  });

  it("changes nothing where the guard says no, and says every rule that did", async () => {
    const { faults, run } = setUp();
    const reason = "gpu-1 has no label tessera.dev/hardware-faults=allowed";
    faults.plan = async () => ({
      allowed: false,
      findings: [{ rule: "node", verdict: "refuse", reason }],
      plan: {},
      text: "",
    });
    await expect(run()).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining(reason),
    });
    expect(faults.requests).toEqual([]);
  });

  it("takes everything back at an abort, and hands on its reason", async () => {
    const abort = new AbortController();
    const { clock, faults, run } = setUp({ signal: abort.signal });
    clock.setTimer(12_000, () => abort.abort(new Error("Ctrl-C")));
    await expect(run()).rejects.toThrow("Ctrl-C");
    expect(faults.requests.length).toBeGreaterThan(0);
    expect([...faults.faults.values()].every(({ state }) => state === "reverted")).toBe(true);
  });
});
