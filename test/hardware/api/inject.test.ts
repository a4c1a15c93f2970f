import { describe, expect, it } from "vitest";
import { collections } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { partitionRequest, passthroughRequest, startTestApi, xidRequest } from "./support.ts";

describe("a fault that is asked for", () => {
  it("is armed with the node as it was before anybody may act", async () => {
    const api = await startTestApi();
    const fault = await api.as("alice").inject(xidRequest);
    expect(fault).toMatchObject({
      kind: "xid",
      state: "armed",
      target: "gpu-1/gpu0",
      requestedBy: "user:alice",
      namespace: "prod",
    });
    expect(fault.correlationId).toMatch(/^[0-9a-f]{12}$/);
    const kept = api.fault(fault.id);
    expect(kept?.status?.undo).toMatchObject([
      { kind: "node", node: "gpu-1", before: { unschedulable: false } },
    ]);
    expect(
      Date.parse(fault.expiresAt) - Date.parse(kept?.metadata.creationTimestamp ?? ""),
    ).toBeLessThan(62_000);
  });

  it("is refused with every finding when the guard says no, and nothing is written", async () => {
    const api = await startTestApi();
    api.findings.push(
      { rule: "cooldown", verdict: "refuse", reason: "the last fault was 3 s ago." },
      { rule: "breaker", verdict: "warn", reason: "close" },
    );
    await expect(api.as("alice").inject(xidRequest)).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      httpStatus: 409,
      message: expect.stringContaining("cooldown: the last fault was 3 s ago"),
      details: { findings: [{ rule: "opt-in" }, { rule: "cooldown" }, { rule: "breaker" }] },
    });
    expect(await api.book.list()).toEqual([]);
  });

  it("is the same when the same request comes again under its name", async () => {
    const api = await startTestApi();
    const request = { ...xidRequest, name: "mine" };
    const [first, second] = await Promise.all([
      api.as("alice").inject(request),
      api.as("alice").inject(request),
    ]);
    const third = await api.as("alice").inject(request);
    expect([second.id, third.id]).toEqual([first.id, first.id]);
    expect([second.correlationId, third.correlationId]).toEqual([
      first.correlationId,
      first.correlationId,
    ]);
    expect(await api.book.list()).toHaveLength(1);
  });

  it.each([
    ["another node", { action: { ...xidRequest.action, node: "gpu-2" } }],
    ["another end", { durationSeconds: 61 }],
  ])("is refused under the name of one with %s", async (_, change) => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...xidRequest, name: "mine" });
    await expect(
      api.as("alice").inject({ ...xidRequest, name: "mine", ...change }),
    ).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining("another one"),
    });
  });

  it("is refused under a name that somebody else has taken for the same", async () => {
    const api = await startTestApi();
    api.rights.add("user:bob inject prod");
    await api.as("alice").inject({ ...xidRequest, name: "mine" });
    await expect(api.as("bob").inject({ ...xidRequest, name: "mine" })).rejects.toMatchObject({
      code: "E_HW_REFUSED",
    });
  });

  it.each([
    ["no end", { durationSeconds: undefined }],
    ["a lease longer than itself", { leaseSeconds: 61 }],
    ["an unknown field", { colour: "red" }],
    [
      "a control character in its text",
      { action: { ...xidRequest.action, lines: [{ xid: 79, text: "a\nb" }] } },
    ],
    [
      "a workload of another namespace",
      {
        action: {
          kind: "cuda",
          node: "gpu-1",
          workload: { namespace: "other", name: "vllm", kind: "deployment" },
          fault: { xid: 79 },
        },
      },
    ],
    ["no labels to cut off by", { action: { kind: "partition", podSelector: {} } }],
  ])("is refused with %s", async (_, change) => {
    const api = await startTestApi();
    const { status, json } = await api.send("alice", "POST", "/api/v1/faults", {
      ...xidRequest,
      ...change,
    });
    expect([status, json["code"]]).toEqual([400, "E_REQUEST_INVALID"]);
    expect(await api.book.list()).toEqual([]);
  });

  it("is refused for an XID that is in no catalogue, or that CUDA does not notice", async () => {
    const api = await startTestApi();
    const lines = [{ xid: 79 }, { xid: 998 }];
    await expect(
      api.as("alice").inject({ ...xidRequest, action: { ...xidRequest.action, lines } }),
    ).rejects.toMatchObject({ code: "E_XID_UNKNOWN" });
    const workload = passthroughRequest.action.workload;
    await expect(
      api.as("alice").inject({
        ...xidRequest,
        action: { kind: "cuda", node: "gpu-1", workload, fault: { xid: 63 } },
      }),
    ).rejects.toMatchObject({ code: "E_XID_UNKNOWN" });
  });

  it("waits for its agent when told to, and says when the agent could not", async () => {
    const api = await startTestApi();
    const asked = api.as("alice").inject({ ...xidRequest, name: "good", wait: true });
    await waitUntil("it is armed", () => api.fault("good")?.status?.state === "armed");
    await api.book.injected("good");
    expect(await asked).toMatchObject({ state: "injected" });

    const other = api.as("alice").inject({
      ...xidRequest,
      action: { ...xidRequest.action, node: "gpu-2" },
      name: "bad",
      wait: true,
    });
    const refused = expect(other).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("no such GPU"),
    });
    await waitUntil("it is armed", () => api.fault("bad")?.status?.state === "armed");
    await api.book.failed("bad", "no such GPU");
    await refused;
  });

  it("names the scope of the workload in a CUDA fault, and its control block as what to undo", async () => {
    const api = await startTestApi();
    const { workload } = passthroughRequest.action;
    const { id, action } = await api.as("alice").inject({
      ...xidRequest,
      action: { kind: "cuda", node: "gpu-1", workload, fault: { xid: 79 } },
    });
    expect(action).toMatchObject({ scope: "prod.deployment.vllm" });
    expect(api.fault(id)?.status?.undo).toEqual([
      { kind: "control", node: "gpu-1", scope: "prod.deployment.vllm" },
    ]);
  });
});

describe("a fault that the API carries out itself", () => {
  it("puts the shim into a workload and takes it out again", async () => {
    const api = await startTestApi();
    const before = api.kube.get(collections.deployments, "prod/vllm");
    const fault = await api.as("alice").inject(passthroughRequest);
    expect(fault.state).toBe("injected");
    expect(fault.note).toContain("replaced by a roll-out");
    const env = JSON.stringify(api.kube.get(collections.deployments, "prod/vllm"));
    expect(env).toContain("LD_PRELOAD");
    const ended = await api.as("alice").revert(fault.id);
    expect(ended).toMatchObject({ state: "reverted", note: "Everything is as it was." });
    expect(api.kube.get(collections.deployments, "prod/vllm")).toMatchObject({
      spec: before?.["spec"],
    });
  });

  it("refuses a second shim for the same workload, and leaves the first alone", async () => {
    const api = await startTestApi();
    const first = await api.as("alice").inject(passthroughRequest);
    await expect(api.as("alice").inject(passthroughRequest)).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining(first.id),
    });
    expect((await api.as("alice").get(first.id)).state).toBe("injected");
  });

  it("cleans the spec without ending, and undoes that too", async () => {
    const api = await startTestApi();
    const before = api.kube.get(collections.deployments, "prod/vllm");
    const { id } = await api.as("alice").inject(passthroughRequest);
    const released = await api.as("alice").releaseSpec(id);
    expect(released.note).toContain("paused");
    expect(api.kube.get(collections.deployments, "prod/vllm")).toMatchObject({
      spec: { paused: true },
    });
    expect(JSON.stringify(api.kube.get(collections.deployments, "prod/vllm"))).not.toContain(
      "LD_PRELOAD",
    );
    await api.as("alice").revert(id);
    const after = api.kube.get(collections.deployments, "prod/vllm");
    // A real API server drops the empty map of annotations.
    expect(after).toMatchObject({ spec: before?.["spec"] });
    expect(JSON.stringify(after)).not.toMatch(/LD_PRELOAD|paused|tessera/);
  });

  it("refuses to clean a spec where there is none", async () => {
    const api = await startTestApi();
    const { id } = await api.as("alice").inject(xidRequest);
    await expect(api.as("alice").releaseSpec(id)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
  });

  it("cuts pods off by a policy of its own for each fault, and deletes it", async () => {
    const api = await startTestApi();
    const one = await api.as("alice").inject(partitionRequest);
    const two = await api.as("alice").inject(partitionRequest);
    expect(one.note).toContain("does not enforce NetworkPolicies");
    for (const { id } of [one, two]) {
      expect(api.kube.get(collections.networkPolicies, `prod/tessera-${id}`)).toBeDefined();
    }
    const ended = await api.as("alice").revertRun("run-1");
    expect(ended.map(({ state }) => state)).toEqual(["reverted", "reverted"]);
    for (const { id } of [one, two]) {
      expect(api.kube.get(collections.networkPolicies, `prod/tessera-${id}`)).toBeUndefined();
    }
  });

  it("takes back what it could not do, and says why", async () => {
    const api = await startTestApi();
    api.kube.interfere = ({ method, collection }) =>
      method === "POST" && collection === collections.networkPolicies ? { status: 403 } : undefined;
    await expect(
      api.as("alice").inject({ ...partitionRequest, name: "cut" }),
    ).rejects.toMatchObject({ code: "E_HW_FAILED" });
    await waitUntil("it is over", () => api.fault("cut")?.status?.state === "failed");
  });

  it("goes on with one that was armed before it started", async () => {
    const api = await startTestApi();
    const policy = "tessera-left-over";
    const { networkPolicies } = await import("../../../src/hardware/api/network-policy.ts");
    const action = {
      kind: "partition",
      namespace: "prod",
      policy,
      podSelector: { app: "vllm" },
      direction: "both",
    } as const;
    const expiresAt = new Date(api.clock.nowMs() + 60_000).toISOString();
    const spec = {
      run: "r",
      requestedBy: "user:alice",
      namespace: "prod",
      action,
      expiresAt,
      leaseSeconds: 30,
    };
    await api.book.create("left-over", spec);
    await api.book.arm("left-over", [
      { kind: "object", type: networkPolicies, namespace: "prod", name: policy },
    ]);
    await waitUntil(
      "it is carried out",
      () => api.fault("left-over")?.status?.state === "injected",
    );
    expect(api.kube.get(collections.networkPolicies, `prod/${policy}`)).toBeDefined();
  });
});
