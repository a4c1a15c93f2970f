import { describe, expect, it, vi } from "vitest";
import { routeName } from "../../src/platform/http/index.ts";
import { SseReader } from "../platform/http/events/sse.ts";
import { startPlane } from "./support.ts";

const deadline = { timeout: 15_000, interval: 5 };

describe("health", () => {
  it("is alive at once and ready when the doctor has run", async () => {
    await using test = await startPlane();
    expect((await test.call("GET", "/healthz")).json).toEqual({ alive: true });
    const before = await test.call("GET", "/readyz");
    expect(before.status).toBe(503);
    expect(before.json["checks"]).toContainEqual(
      expect.objectContaining({ name: "doctor", ready: false }),
    );
    await test.plane.doctor.run();
    const after = await test.call("GET", "/readyz");
    expect([after.status, after.json["ready"]]).toEqual([200, true]);
  });

  it("is not ready when the store does not answer", async () => {
    await using test = await startPlane();
    await test.plane.doctor.run();
    await test.plane.store.close();
    const answer = await test.call("GET", "/readyz");
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("The store does not answer.");
    expect((await test.call("GET", "/healthz")).status).toBe(200);
    expect((await test.call("GET", "/metrics")).text).toContain("tessera_store_up 0");
    expect((await test.call("GET", "/api/v1/status")).json).toMatchObject({
      ready: false,
      store: { answer: null },
    });
  });
});

describe("status", () => {
  it("has version, uptime, store and findings, and every figure says where it was measured", async () => {
    await using test = await startPlane();
    await test.plane.doctor.run();
    const { json } = await test.call("GET", "/api/v1/status");
    const figure = (unit: string) => ({
      value: expect.any(Number),
      unit,
      provenance: "measured",
      where: expect.stringMatching(/\w/),
    });
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ready: true,
      uptime: figure("seconds"),
      memory: figure("bytes"),
      eventStreams: figure("count"),
      store: {
        engine: expect.stringMatching(/^SQLite/),
        schemaVersion: expect.any(Number),
        answer: figure("seconds"),
      },
      doctor: {
        running: false,
        lastRun: {
          duration: figure("seconds"),
          counts: { works: 1, limited: 1, missing: 1, unknown: 1 },
        },
      },
    });
  });

  it("shows evidence without what looks like a secret", async () => {
    await using test = await startPlane();
    await test.plane.doctor.run();
    const { text } = await test.call("GET", "/api/v1/doctor");
    expect(text).toContain('"bytes":"12"');
    expect(text).not.toContain("hunter2");
  });
});

describe("the doctor", () => {
  it("runs again for who may operate, and says what it found", async () => {
    await using test = await startPlane();
    await test.plane.doctor.run();
    test.machine.findings["kubernetes"] = { state: "works", reason: "The cluster answers." };
    const token = await test.tokenOf("operate");
    const answer = await test.call("POST", "/api/v1/doctor/runs", { token });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ counts: { works: 2, missing: 0 } });
    expect((await test.call("GET", "/api/v1/doctor")).json["lastRun"]).toEqual(answer.json);
  });

  it("gives a caller who comes during a run a later one, shared with all who wait", async () => {
    await using test = await startPlane();
    let release = () => {};
    test.machine.hold = new Promise<void>((resolve) => (release = resolve));
    const first = test.plane.doctor.run();
    expect(test.plane.doctor.view().running).toBe(true);
    const waiting = Array.from({ length: 10 }, () => test.plane.doctor.run());
    test.machine.findings["fio"] = { state: "works", reason: "Repaired meanwhile." };
    release();
    expect((await first).counts.limited).toBe(1);
    for (const run of await Promise.all(waiting)) expect(run.counts.limited).toBe(0);
    expect(test.machine.visits).toBe(2);
    expect(test.plane.doctor.view().running).toBe(false);
  });

  it("tells listeners what it finds, and the metrics too", async () => {
    await using test = await startPlane();
    using reader = await SseReader.open(test.plane);
    await test.plane.doctor.run();
    await vi.waitFor(() => expect(reader.types).toContain("doctor.finished"), deadline);
    expect(reader.types).toEqual([
      "doctor.started",
      ...Array.from({ length: 4 }, () => "doctor.finding"),
      "doctor.finished",
    ]);
    expect(reader.events[2]?.data).toMatchObject({ probe: "kubernetes", state: "missing" });
    const { text } = await test.call("GET", "/metrics");
    expect(text).toContain('tessera_doctor_finding{probe="kubernetes",state="missing"} 1');
    expect(text).toContain('tessera_doctor_finding{probe="kubernetes",state="works"} 0');
    expect(text).toContain("tessera_doctor_runs_total 1");
    expect(text).toContain("tessera_http_event_streams 1");
    expect(text).toMatch(/nodejs_eventloop_lag_seconds\{percentile="99"\} \d/);
  });
});

describe("tokens", () => {
  it("are made by administrators, shown once, listed without the secret", async () => {
    await using test = await startPlane();
    const { token } = test;
    const json = { name: "ci", role: "operate", expiresIn: "12h" };
    const made = await test.call("POST", "/api/v1/tokens", { token, json });
    expect(made.status).toBe(201);
    const secret = String(made.json["token"]);
    const listed = await test.call("GET", "/api/v1/tokens", { token });
    expect(listed.text).toContain('"name":"ci"');
    expect(listed.text).not.toContain(secret);
    expect(test.logged()).not.toContain(secret);
    expect((await test.call("POST", "/api/v1/doctor/runs", { token: secret })).status).toBe(200);
    expect((await test.call("GET", "/api/v1/tokens", { token: secret })).status).toBe(403);
  });

  it("stop working when revoked, at once", async () => {
    await using test = await startPlane();
    const { token } = test;
    const secret = await test.tokenOf("operate");
    const { tokens } = (await test.call("GET", "/api/v1/tokens", { token })).json as {
      tokens: { id: string; name: string }[];
    };
    const id = tokens.find((one) => one.name === "a operate")?.id;
    expect((await test.call("DELETE", `/api/v1/tokens/${id}`, { token })).status).toBe(204);
    const refused = await test.call("POST", "/api/v1/doctor/runs", { token: secret });
    expect([refused.status, refused.json["detail"]]).toEqual([
      401,
      expect.stringContaining("revoked"),
    ]);
    expect((await test.call("DELETE", `/api/v1/tokens/${id}`, { token })).status).toBe(204);
  });

  it("stop working when their time is over", async () => {
    await using test = await startPlane();
    const secret = await test.tokenOf("admin", { expiresIn: "1h" });
    expect((await test.call("GET", "/api/v1/tokens", { token: secret })).status).toBe(200);
    test.clock.aheadMs = 3_600_001;
    const refused = await test.call("GET", "/api/v1/tokens", { token: secret });
    expect([refused.status, refused.json["detail"]]).toEqual([
      401,
      expect.stringContaining("expired"),
    ]);
  });

  it("that do not exist cannot be revoked", async () => {
    await using test = await startPlane();
    const answer = await test.call("DELETE", "/api/v1/tokens/nobody", { token: test.token });
    expect([answer.status, answer.json["code"]]).toEqual([404, "E_NOT_FOUND"]);
  });

  it.each([
    [{ name: "", role: "read" }, "`name`"],
    [{ name: "a\nb", role: "read" }, "`name`"],
    [{ name: "ci", role: "root" }, "`role` must be one of read, operate, inject, admin"],
    [{ name: "ci", role: "read", expiresIn: "soon" }, "`expiresIn` must be a duration"],
    [{ name: "ci", role: "read", expiresIn: "0" }, "`expiresIn` must be more than nothing"],
    [{ name: "ci", role: "read", expiresIn: "999w" }, "at most ten years"],
    [{ name: "ci", role: "read", hash: "00" }, "unknown key `hash`"],
  ])("are not made from %j", async (json, says) => {
    await using test = await startPlane();
    const answer = await test.call("POST", "/api/v1/tokens", { token: test.token, json });
    expect([answer.status, answer.json["code"]]).toEqual([400, "E_REQUEST_INVALID"]);
    expect(answer.json["detail"]).toContain(says);
  });
});

describe("every route", () => {
  it("that changes something refuses strangers, readers and other sites", async () => {
    await using test = await startPlane();
    const reader = await test.tokenOf("read");
    const changing = test.plane.routes.filter((route) => route.method !== "GET");
    expect(changing.map(routeName)).toEqual(
      expect.arrayContaining([
        "POST /api/v1/doctor/runs",
        "POST /api/v1/tokens",
        "DELETE /api/v1/tokens/:id",
      ]),
    );
    const visits = test.machine.visits;
    for (const { method, path } of changing) {
      const target = path.replaceAll(/:\w+/g, "first");
      expect((await test.call(method, target)).status).toBe(401);
      expect((await test.call(method, target, { token: "guess" })).status).toBe(401);
      expect((await test.call(method, target, { token: reader })).status).toBe(403);
      const headers = { origin: "http://evil.example" };
      expect((await test.call(method, target, { token: test.token, headers })).status).toBe(403);
      const host = { host: "evil.example" };
      expect((await test.call(method, target, { token: test.token, headers: host })).status).toBe(
        421,
      );
    }
    expect(test.machine.visits).toBe(visits);
  });

  it("with data refuses strangers where other machines can connect", async () => {
    const tokenFile = { TESSERA_TOKEN: "x".repeat(40) };
    await using test = await startPlane({ host: "0.0.0.0", env: tokenFile });
    await test.plane.doctor.run();
    const open = ["/healthz", "/readyz", "/api/v1/session"];
    for (const route of test.plane.routes) {
      const answer = await test.call(route.method, route.path.replaceAll(/:\w+/g, "first"));
      const isOpen = open.includes(route.path) || route.page === true;
      expect(answer.status, routeName(route)).toBe(isOpen ? 200 : 401);
    }
    const token = "x".repeat(40);
    expect((await test.call("GET", "/api/v1/status", { token })).status).toBe(200);
    expect((await test.call("GET", "/readyz")).json).toEqual({ ready: true, checks: [] });
    expect((await test.call("GET", "/readyz", { token })).json["checks"]).toHaveLength(3);
    expect((await test.call("GET", "/readyz", { token: "guess" })).json["checks"]).toEqual([]);
  });
});
