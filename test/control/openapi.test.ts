import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Answer } from "../platform/http/support.ts";
import { startPlane, type TestPlane } from "./support.ts";

type Json = Record<string, unknown>;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security: readonly object[];
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly schema?: Json }> }
  >;
}

let folder: string;
let test: TestPlane;
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Json } };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  test = await startPlane({ dataDir: folder });
  await test.plane.doctor.run();
  document = (await test.call("GET", "/api/v1/openapi.json")).json as never;
});
afterAll(async () => {
  await test.plane.stop({ deadlineMs: 0 });
  await rm(folder, { recursive: true });
});

/** Checks an answer against what the description says about its status and type. */
function expectDescribed(path: string, method: string, answer: Answer): void {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const described = operation?.responses[answer.status];
  expect(described, `${method} ${path} ${answer.status} is described`).toBeDefined();
  const type = answer.headers["content-type"]?.split(";")[0];
  if (answer.status === 204) return;
  const content = described?.content?.[type ?? ""];
  expect(content, `${method} ${path} ${answer.status} as ${type} is described`).toBeDefined();
  if (content?.schema === undefined) return;
  const whole = { ...content.schema, $defs: document.components.schemas };
  // The validator knows definitions by their place in JSON Schema only.
  const text = JSON.stringify(whole).replaceAll("#/components/schemas/", "#/$defs/");
  const schema = z.fromJSONSchema(JSON.parse(text));
  expect(schema.safeParse(answer.json).error).toBeUndefined();
}

describe("the description of the API", () => {
  it("names every route, with who may call it", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = test.plane.routes
      .filter(({ page }) => page !== true)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
    expect(document.paths["/healthz"]?.["get"]?.security).toEqual([]);
    expect(document.paths["/api/v1/status"]?.["get"]?.security).toEqual([{}, { token: [] }]);
    expect(document.paths["/api/v1/tokens"]?.["post"]?.security).toEqual([{ token: [] }]);
  });

  it("has parameters of path and query", () => {
    const names = (path: string, method: string) =>
      document.paths[path]?.[method]?.parameters?.map((one) => `${one.in} ${one.name}`);
    expect(names("/api/v1/audit", "get")).toEqual([
      "query limit",
      "query before",
      "query actor",
      "query action",
      "query since",
    ]);
    expect(names("/api/v1/tokens/{id}", "delete")).toEqual(["path id"]);
  });

  it("refers only to shapes it has", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name] of references)
      expect(document.components.schemas).toHaveProperty(name ?? "");
  });

  it.each([
    ["the session", "GET", "/api/v1/session", {}],
    ["the doctor's history", "GET", "/api/v1/doctor/history", {}],
    ["health", "GET", "/healthz", {}],
    ["readiness", "GET", "/readyz", {}],
    ["metrics", "GET", "/metrics", {}],
    ["status", "GET", "/api/v1/status", {}],
    ["findings", "GET", "/api/v1/doctor", {}],
    ["the audit log", "GET", "/api/v1/audit", {}],
    ["itself", "GET", "/api/v1/openapi.json", {}],
    ["a doctor run", "POST", "/api/v1/doctor/runs", { token: true }],
    ["a doctor run without a token", "POST", "/api/v1/doctor/runs", {}],
    ["tokens", "GET", "/api/v1/tokens", { token: true }],
    ["tokens without a token", "GET", "/api/v1/tokens", {}],
    ["a new token", "POST", "/api/v1/tokens", { token: true, json: { name: "a", role: "read" } }],
    ["a body that is wrong", "POST", "/api/v1/tokens", { token: true, json: {} }],
    ["a body of no type", "POST", "/api/v1/tokens", { token: true, body: "x" }],
    [
      "a body that is too large",
      "POST",
      "/api/v1/tokens",
      { token: true, json: { name: "x".repeat(70_000) } },
    ],
    ["another site", "POST", "/api/v1/tokens", { token: true, headers: { origin: "null" } }],
    ["another host", "POST", "/api/v1/tokens", { token: true, headers: { host: "evil.example" } }],
  ] as const)("holds for %s", async (_, method, path, options) => {
    const { token, ...rest } = { token: false, ...options };
    const answer = await test.call(method, path, token ? { ...rest, token: test.token } : rest);
    expectDescribed(path, method, answer);
  });

  it("holds for what has an id", async () => {
    const made = await test.call("POST", "/api/v1/tokens", {
      token: test.token,
      json: { name: "a", role: "read" },
    });
    for (const id of [String(made.json["id"]), "nobody", "x".repeat(100)]) {
      const answer = await test.call("DELETE", `/api/v1/tokens/${id}`, { token: test.token });
      expectDescribed("/api/v1/tokens/{id}", "DELETE", answer);
    }
  });

  it("is caught when it does not hold", async () => {
    const answer = await test.call("GET", "/api/v1/doctor");
    const wrong = { ...answer, json: { ...answer.json, running: "yes" } };
    expect(() => expectDescribed("/api/v1/doctor", "GET", wrong)).toThrow();
    expect(() => expectDescribed("/api/v1/doctor", "GET", { ...answer, status: 418 })).toThrow();
  });
});
