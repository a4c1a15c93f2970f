import { describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { startTestApi, xidRequest } from "./support.ts";

describe("the routes of the first fault injection service", () => {
  it("inject any XID of the catalogue, with an end that the answer names", async () => {
    const api = await startTestApi();
    const asked = api.send("alice", "POST", "/api/v1/faults/gpu/inject/xid-79", {
      node_name: "gpu-1",
      gpu_id: 1,
      xid_type: 79,
    });
    await agentCarriesOut(api);
    const { status, json } = await asked;
    expect(status).toBe(201);
    expect(json).toMatchObject({
      status: "injected",
      fault_type: "gpu_xid_79",
      target: "gpu-1/gpu1",
      injected_at: expect.any(String),
      message: expect.stringContaining("it lasts 600 s"),
    });
    const { expiresAt, createdAt } = json["details"] as Record<string, string>;
    const lastsMs = Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "");
    expect(Math.abs(lastsMs - 600_000)).toBeLessThan(2_000);
  });

  it("refuse an XID that the path and the body do not agree on, or that there is none", async () => {
    const api = await startTestApi();
    const path = "/api/v1/faults/gpu/inject/xid-79";
    const body = { node_name: "gpu-1", xid_type: 48 };
    expect((await api.send("alice", "POST", path, body)).json["code"]).toBe("E_REQUEST_INVALID");
    const none = "/api/v1/faults/gpu/inject/xid-998";
    expect((await api.send("alice", "POST", none, { node_name: "gpu-1" })).json["code"]).toBe(
      "E_XID_UNKNOWN",
    );
  });

  it("inject `xid_error`, and answer 501 with the reason for what cannot be made", async () => {
    const api = await startTestApi();
    const path = "/api/v1/faults/gpu/inject";
    const asked = api.send("alice", "POST", path, {
      node_name: "gpu-1",
      fault_type: "xid_error",
      parameters: { xid_type: 48 },
      duration: 30,
    });
    await agentCarriesOut(api);
    const { json: made } = await asked;
    expect(made).toMatchObject({ fault_type: "gpu_xid_48" });
    expect(made["message"]).not.toContain("severity");
    for (const fault_type of ["throttle", "memory_pressure", "overheat", "compute_overload"]) {
      const { status, json } = await api.send("alice", "POST", path, {
        node_name: "gpu-1",
        fault_type,
      });
      expect(status).toBe(501);
      expect(json["detail"]).toContain(fault_type);
    }
    expect(await api.book.list()).toHaveLength(1);
  });

  it("say that a severity has no meaning", async () => {
    const api = await startTestApi();
    const asked = api.send("alice", "POST", "/api/v1/faults/gpu/inject", {
      node_name: "gpu-1",
      fault_type: "xid_error",
      severity: "high",
      parameters: { xid_type: 48 },
    });
    await agentCarriesOut(api);
    expect((await asked).json["message"]).toContain("`severity` has no meaning");
  });

  it("ask for the namespace where several may be tested", async () => {
    const api = await startTestApi({ allowNamespaces: ["prod", "stage"] });
    const { status, json } = await api.send("alice", "POST", "/api/v1/faults/gpu/inject/xid-79", {
      node_name: "gpu-1",
    });
    expect(status).toBe(400);
    expect(json["detail"]).toContain("`namespace` is missing");
  });

  it("list the XIDs there are", async () => {
    const api = await startTestApi();
    const types = await api.as("alice").xidTypes();
    expect(types.length).toBeGreaterThan(50);
    expect(types.find(({ code }) => code === 79)).toMatchObject({ severity: "critical" });
  });

  it.each([
    ["POST", "/recover"],
    ["DELETE", ""],
  ])("take a fault back by %s %s, and say so again when it is over", async (method, end) => {
    const api = await startTestApi();
    const { id } = await api.as("alice").inject(xidRequest);
    for (let time = 0; time < 2; time++) {
      const { status, json } = await api.send("alice", method, `/api/v1/faults/${id}${end}`);
      expect([status, json["status"]]).toEqual([200, "recovered"]);
    }
    const { json } = await api.send("alice", "GET", `/api/v1/faults/${id}`);
    expect(json).toMatchObject({ id, type: "gpu_xid_79", recovered_at: expect.any(String) });
    expect(
      (await api.send("alice", "GET", "/api/v1/faults?active_only=true&namespace=prod")).json,
    ).toEqual({
      faults: [],
      total: 0,
    });
  });

  it("know nothing of a fault that is not there", async () => {
    const api = await startTestApi();
    for (const [method, path] of [
      ["GET", "/api/v1/faults/none"],
      ["DELETE", "/api/v1/faults/none"],
      ["POST", "/api/v1/faults/none/recover"],
    ] as const) {
      expect((await api.send("alice", method, path)).status).toBe(404);
    }
  });

  it("count what was written down and make nothing up", async () => {
    const api = await startTestApi();
    const path = "/api/v1/metrics/collect?namespace=prod&duration=60";
    expect((await api.send("alice", "GET", path)).json).toMatchObject({
      total: 0,
      injectSeconds: null,
      detectSeconds: null,
    });
    const { id } = await api.as("alice").inject(xidRequest);
    await api.book.injected(id);
    expect((await api.send("alice", "GET", path)).json).toMatchObject({
      total: 1,
      byState: { injected: 1 },
      injectSeconds: { count: 1 },
      detectSeconds: null,
    });
  });
});

describe("the routes of a run", () => {
  it("renew what is in force and refuse when all of it has ended", async () => {
    const api = await startTestApi();
    const { id, leaseUntil } = await api.as("alice").inject(xidRequest);
    const [renewed] = await api.as("alice").renew("run-1");
    expect(renewed?.id).toBe(id);
    expect(Date.parse(renewed?.leaseUntil ?? "")).toBeGreaterThanOrEqual(
      Date.parse(leaseUntil ?? ""),
    );
    await api.as("alice").revertRun("run-1");
    await expect(api.as("alice").renew("run-1")).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    expect(await api.as("alice").revertRun("run-1")).toEqual([]);
  });
});

describe("the API's own state", () => {
  it("is told to everybody", async () => {
    const api = await startTestApi();
    await waitUntil("it is well", async () => (await api.as("nobody").health()).healthy);
    expect((await api.send(undefined, "GET", "/health")).json).toMatchObject({
      status: "healthy",
      service: "tessera-fault-api",
    });
    expect((await api.send(undefined, "GET", "/healthz")).json).toEqual({ alive: true });
  });

  it("is not well when the faults in the cluster are not known, but alive", async () => {
    const api = await startTestApi();
    await waitUntil("it is well", async () => (await api.as("nobody").health()).healthy);
    api.kube.interfere = () => ({ status: 500 });
    api.kube.dropConnections();
    await waitUntil("it is not", async () => !(await api.as("nobody").health()).healthy);
    expect((await api.as("nobody").health()).problem).toContain("not known");
    expect((await api.send(undefined, "GET", "/health")).status).toBe(503);
    expect((await api.send(undefined, "GET", "/healthz")).status).toBe(200);
    api.kube.interfere = () => undefined;
  });

  it("is measured for those who may read in its namespace", async () => {
    const api = await startTestApi();
    expect((await api.send("alice", "GET", "/metrics")).status).toBe(403);
    api.rights.add("user:alice read tessera-hardware");
    const { json } = await api.send("alice", "GET", "/metrics");
    expect(json["text"]).toContain("tessera_http_request_duration_seconds");
  });

  it("ends without ending the faults in force", async () => {
    const api = await startTestApi();
    const { id } = await api.as("alice").inject(xidRequest);
    await api.stop();
    expect(api.fault(id)?.status).toMatchObject({ state: "armed" });
    expect(api.fault(id)?.status?.end).toBeUndefined();
    await expect(api.as("alice").get(id)).rejects.toMatchObject({ code: "E_HW_API_UNREACHABLE" });
  });

  it("listens on the loopback address unless told otherwise", async () => {
    const api = await startTestApi();
    expect(new URL(api.url).hostname).toBe("127.0.0.1");
  });
});

/** Stands for the agent: carries out the first fault that is armed. */
async function agentCarriesOut(api: Awaited<ReturnType<typeof startTestApi>>): Promise<void> {
  const armedNow = async () =>
    (await api.book.list()).some(({ status }) => status?.state === "armed");
  await waitUntil("one is armed", armedNow);
  const armed = (await api.book.list()).find(({ status }) => status?.state === "armed");
  await api.book.injected(armed?.metadata.name ?? "");
}
