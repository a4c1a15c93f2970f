import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/platform/http/app.ts";
import { problemSchema } from "../../../src/platform/http/problem.ts";
import { sampleRoutes, send, startTestServer, type TestServer } from "./support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop(0);
});

const created = { name: "disk" };

describe("a request that is right", () => {
  it("reaches its handler with checked parts", async () => {
    const answer = await send(server, "GET", "/things/7?limit=3");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ id: "7", limit: 3, caller: "anonymous" });
  });

  it("may send JSON under any name that ends in +json", async () => {
    const headers = { "content-type": "application/vnd.tessera+json; charset=utf-8" };
    const answer = await send(server, "POST", "/things", {
      token: "operate",
      headers,
      json: created,
    });
    expect(answer.status).toBe(201);
  });

  it("is answered to HEAD without a body", async () => {
    const answer = await send(server, "HEAD", "/things/7");
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });

  it("keeps an id the caller chose, and gets a new one for an odd one", async () => {
    const kept = await send(server, "GET", "/things/7", {
      headers: { "x-request-id": "my-id-123" },
    });
    expect(kept.headers["x-request-id"]).toBe("my-id-123");
    const odd = await send(server, "GET", "/things/7", { headers: { "x-request-id": "a b" } });
    expect(odd.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });

  it("gets the headers that keep browsers from doing harm, and none for other origins", async () => {
    const { headers } = await send(server, "GET", "/things/7");
    expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("a request that is wrong", () => {
  it.each([
    ["an unknown path", "GET", "/thing/7", {}, 404, "E_ROUTE_UNKNOWN", "/things"],
    ["a wrong method", "PATCH", "/things/7", {}, 405, "E_METHOD_NOT_ALLOWED", "GET, DELETE, HEAD"],
    [
      "a query value out of range",
      "GET",
      "/things/7?limit=11",
      {},
      400,
      "E_REQUEST_INVALID",
      "`limit` must be at most 10",
    ],
    [
      "an unknown query key",
      "GET",
      "/things/7?limits=1",
      {},
      400,
      "E_REQUEST_INVALID",
      "unknown key `limits`",
    ],
    ["a path value too long", "GET", "/things/123456789", {}, 400, "E_REQUEST_INVALID", "`id`"],
    [
      "no body",
      "POST",
      "/things",
      { token: "operate", headers: { "content-type": "application/json" } },
      400,
      "E_REQUEST_INVALID",
      "empty",
    ],
    [
      "a body that is not JSON",
      "POST",
      "/things",
      { token: "operate", body: "{", headers: { "content-type": "application/json" } },
      400,
      "E_REQUEST_INVALID",
      "not JSON",
    ],
    [
      "a body that is not UTF-8",
      "POST",
      "/things",
      {
        token: "operate",
        body: Buffer.from([0x22, 0xff, 0x22]),
        headers: { "content-type": "application/json" },
      },
      400,
      "E_REQUEST_INVALID",
      "not UTF-8",
    ],
    [
      "a body of another type",
      "POST",
      "/things",
      { token: "operate", body: "name=disk", headers: { "content-type": "text/plain" } },
      415,
      "E_BODY_TYPE",
      "text/plain",
    ],
    [
      "a body of no type",
      "POST",
      "/things",
      { token: "operate", body: "{}" },
      415,
      "E_BODY_TYPE",
      "no declared type",
    ],
    [
      "a value of the wrong type",
      "POST",
      "/things",
      { token: "operate", json: { name: "a", tags: ["x", 3] } },
      400,
      "E_REQUEST_INVALID",
      "`tags[1]` must be text, got the number 3",
    ],
    [
      "a missing key",
      "POST",
      "/things",
      { token: "operate", json: {} },
      400,
      "E_REQUEST_INVALID",
      "`name` must be text, got nothing",
    ],
    [
      "a body that is too large",
      "POST",
      "/things",
      { token: "operate", json: { name: "x".repeat(2000) } },
      413,
      "E_BODY_TOO_LARGE",
      "1 KiB",
    ],
    [
      "a body that is too large and does not say so",
      "POST",
      "/things",
      {
        token: "operate",
        json: { name: "x".repeat(2000) },
        headers: { "transfer-encoding": "chunked" },
      },
      413,
      "E_BODY_TOO_LARGE",
      "1 KiB",
    ],
  ] as const)(
    "%s is a problem that says what to do",
    async (_, method, path, options, status, code, says) => {
      const answer = await send(server, method, path, options);
      expect(answer.status).toBe(status);
      expect(answer.headers["content-type"]).toBe("application/problem+json");
      const problem = problemSchema.parse(answer.json);
      expect(problem).toMatchObject({ code, status, type: `urn:tessera:error:${code}` });
      expect(problem.instance).toBe(path.split("?")[0]);
      expect(problem.requestId).toBe(answer.headers["x-request-id"]);
      expect(`${problem.detail} ${problem.hint}`).toContain(says);
    },
  );

  it("is answered with the methods allowed", async () => {
    const answer = await send(server, "PUT", "/things");
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });

  it("does not learn what failed inside; the log does, without secrets", async () => {
    const answer = await send(server, "DELETE", "/things/9", { token: "admin" });
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ code: "E_INTERNAL" });
    expect(answer.text).not.toContain("hunter2");
    const requestId = String(answer.json["requestId"]);
    expect(answer.json["hint"]).toContain(requestId);
    expect(server.logged()).toContain(`"requestId":"${requestId}"`);
    expect(server.logged()).toContain("the password of the database is");
  });
});

describe("the log and the metrics", () => {
  it("name the caller and the route, and never the token", async () => {
    await send(server, "POST", "/things?token=hidden", { token: "operate", json: created });
    expect(server.logged()).toContain('"caller":"operate-token"');
    expect(server.logged()).not.toMatch(/Bearer|hidden/);
  });

  it("count by route pattern, so that paths nobody declared make one series", async () => {
    await send(server, "GET", "/things/1");
    await send(server, "GET", "/things/2");
    await send(server, "GET", "/nowhere/1");
    await send(server, "SEARCH", "/nowhere/2");
    const text = await server.metrics.text();
    expect(text).toContain('route="/things/:id"');
    expect(text).toContain('method="OTHER",route="unmatched"');
    expect(text).not.toContain("nowhere");
    expect(text).not.toContain("/things/1");
    expect(text).toContain('tessera_http_errors_total{code="E_ROUTE_UNKNOWN"}');
    expect(text).toContain("tessera_http_requests_in_flight 0");
  });
});

describe("the audit log", () => {
  it("gets what was done and what was refused, with the caller", async () => {
    const before = server.audited.length;
    await send(server, "POST", "/things", { token: "operate", json: created });
    await send(server, "POST", "/things", { token: "admin", json: {} });
    await send(server, "DELETE", "/things/9", { token: "admin" });
    expect(server.audited.slice(before)).toMatchObject([
      {
        action: "thing.create",
        outcome: "done",
        target: "disk",
        caller: { name: "operate-token" },
      },
      { action: "thing.create", outcome: "refused", code: "E_REQUEST_INVALID" },
      { action: "thing.delete", outcome: "failed", code: "E_INTERNAL" },
    ]);
  });

  it("gets what a known caller tried beyond their role", async () => {
    const before = server.audited.length;
    await send(server, "DELETE", "/things/9", { token: "operate" });
    expect(server.audited.slice(before)).toMatchObject([
      {
        action: "thing.delete",
        outcome: "refused",
        code: "E_ROLE_INSUFFICIENT",
        caller: { name: "operate-token" },
      },
    ]);
  });

  it("gets nothing of reads and of strangers", async () => {
    const before = server.audited.length;
    await send(server, "GET", "/things/9", { token: "admin" });
    await send(server, "POST", "/things", { json: created });
    expect(server.audited).toHaveLength(before);
  });
});

describe("a table of routes", () => {
  const options = {
    clock: { nowMs: () => 0, monotonicMs: () => 0, setTimer: () => ({ cancel: () => {} }) },
  };
  const create = (route: object) =>
    createApp({ ...options, routes: [...sampleRoutes, route] } as never);
  const route = {
    method: "POST",
    path: "/new",
    summary: "",
    access: "operate",
    action: "new",
    responses: { description: "", schema: z.unknown() },
    handle: () => ({ status: 204 }),
  } as const;

  it("may hold a changing route that has a role and a name", () => {
    expect(() => create(route)).not.toThrow();
  });

  it("may not hold a changing route without a role or without a name for the audit log", () => {
    expect(() => create({ ...route, access: "open" })).toThrow(/without a role/);
    expect(() => create({ ...route, access: "read" })).toThrow(/without a role/);
    const { action: _, ...nameless } = route;
    expect(() => create(nameless)).toThrow(/without a name/);
  });

  it("may hold an open route that changes something when it asks for a token of its own", () => {
    const { action: _, ...nameless } = route;
    expect(() => create({ ...nameless, access: "open", ownToken: true })).not.toThrow();
    expect(() => create({ ...nameless, ownToken: true })).toThrow(/two tokens/);
  });

  it("may not hold a route twice", () => {
    expect(() => create({ ...route, path: "/things" })).toThrow(/twice/);
  });
});
