import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { RefusalNotes } from "../../../src/platform/http/audit-call.ts";
import { defineRoute } from "../../../src/platform/http/route.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { send, startTestServer, type TestServer } from "./support.ts";

const single = { perSecond: 0.01, burst: 1 };
const generous = { perSecond: 1000, burst: 10_000 };
const thing = { token: "operate", json: { name: "disk" } };

const slowChange = defineRoute({
  method: "POST",
  path: "/slow/:id",
  summary: "Never answers.",
  access: "operate",
  action: "slow.do",
  params: z.strictObject({ id: z.string().max(8) }),
  responses: { description: "Nothing.", schema: z.unknown() },
  handle: ({ signal }) =>
    new Promise<never>(() => {
      signal.addEventListener("abort", () => aborted.push("slow"), { once: true });
    }),
});

const aborted: string[] = [];
let server: TestServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  aborted.length = 0;
});

describe("a change that is not done", () => {
  it("is kept with its caller, its target and its reason when its role does not reach", async () => {
    server = await startTestServer({ routes: [slowChange] });
    await send(server, "POST", "/slow/seven", { token: "read" });
    expect(server.audited).toMatchObject([
      {
        outcome: "refused",
        code: "E_ROLE_INSUFFICIENT",
        target: "seven",
        caller: { name: "read-token" },
        problem: expect.stringContaining("needs the role operate"),
      },
    ]);
  });

  it("names no target that its route does not accept", async () => {
    server = await startTestServer({ routes: [slowChange] });
    await send(server, "POST", "/slow/longer-than-eight", { token: "operate" });
    expect(server.audited).toMatchObject([{ outcome: "refused", code: "E_REQUEST_INVALID" }]);
    expect(server.audited[0]).not.toHaveProperty("target");
  });

  it("may have been done when it was not answered in time, and its handler is told to stop", async () => {
    server = await startTestServer({ routes: [slowChange], app: { requestTimeoutMs: 5 } });
    expect((await send(server, "POST", "/slow/seven", { token: "operate" })).status).toBe(504);
    expect(aborted).toEqual(["slow"]);
    expect(server.audited).toMatchObject([
      {
        outcome: "failed",
        code: "E_TIMEOUT",
        target: "seven",
        problem: "no answer in time; it may have been done",
      },
    ]);
  });

  it("is kept once for many of another site, and nothing of a read from there", async () => {
    server = await startTestServer();
    const headers = { origin: "https://evil.example" };
    for (let call = 0; call < 5; call++) await send(server, "POST", "/things", { headers });
    await send(server, "GET", "/things/1", { headers });
    expect(server.audited).toMatchObject([
      {
        outcome: "refused",
        code: "E_ORIGIN_REFUSED",
        caller: { name: "anonymous" },
        problem: expect.stringContaining("https://evil.example"),
      },
    ]);
  });

  it("is kept once for many that came too fast, for each caller", async () => {
    const rateLimits = { reads: generous, changes: single, "failed-tokens": generous };
    server = await startTestServer({ app: { rateLimits } });
    for (let call = 0; call < 4; call++) await send(server, "POST", "/things", thing);
    for (let call = 0; call < 4; call++) {
      await send(server, "POST", "/things", { ...thing, token: "admin" });
    }
    const kept = server.audited.map(({ caller, code }) => `${caller.name} ${code ?? "done"}`);
    expect(kept).toEqual([
      "operate-token done",
      "operate-token E_RATE_LIMITED",
      "admin-token done",
      "admin-token E_RATE_LIMITED",
    ]);
  });
});

describe("a reader's token that tries to change things again and again", () => {
  it("fills nothing: its refusals are kept once for each code, and others' apart", async () => {
    server = await startTestServer();
    for (let call = 0; call < 5; call++) {
      await send(server, "POST", "/things", { ...thing, token: "read" });
      await send(server, "DELETE", `/things/${call}`, { token: "read" });
      await send(server, "DELETE", "/things/1", { token: "operate" });
      await send(server, "POST", "/things", { ...thing, json: { name: call } });
    }
    const kept = server.audited.map(({ caller, code }) => `${caller.name} ${code}`);
    expect(kept).toEqual([
      "read-token E_ROLE_INSUFFICIENT",
      "operate-token E_ROLE_INSUFFICIENT",
      "operate-token E_REQUEST_INVALID",
    ]);
  });

  it("is on record each time where every refusal is wanted", async () => {
    server = await startTestServer({ app: { auditsEveryRefusal: true } });
    for (let call = 0; call < 3; call++) {
      await send(server, "POST", "/things", { ...thing, token: "read" });
    }
    expect(server.audited.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
  });

  it("leaves every failure on record that is ours", async () => {
    server = await startTestServer();
    for (let call = 0; call < 3; call++) {
      await send(server, "DELETE", "/things/1", { token: "admin" });
    }
    expect(server.audited.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
  });
});

describe("a change", () => {
  const kept: string[] = [];
  const told = defineRoute({
    method: "POST",
    path: "/told/:id",
    summary: "Says what it did.",
    access: "operate",
    action: "told.do",
    auditDetails: ({ body }) => body,
    params: z.strictObject({ id: z.string().max(8) }),
    body: z.strictObject({ role: z.string() }),
    responses: { description: "It.", schema: z.unknown() },
    handle: ({ params: { id } }) => {
      kept.push("the deed");
      return { json: {}, target: `made-${id}`, details: { world: "sim" } };
    },
  });
  const call = (test: TestServer) =>
    send(test, "POST", "/told/seven", { token: "operate", json: { role: "admin" } });

  it("is on record before it is done, and after, with where it came from and what it was about", async () => {
    const entries: object[] = [];
    kept.length = 0;
    const note = (word: string) => async (entry: object) => {
      kept.push(word);
      entries.push(entry);
    };
    const audit = { begin: note("begin"), record: note("end") };
    server = await startTestServer({ routes: [told], app: { audit } });
    expect((await call(server)).status).toBe(200);
    expect(kept).toEqual(["begin", "the deed", "end"]);
    const common = { action: "told.do", address: "127.0.0.1", caller: { name: "operate-token" } };
    expect(entries).toMatchObject([
      { ...common, target: "seven", details: { role: "admin" } },
      {
        ...common,
        outcome: "done",
        target: "made-seven",
        details: { role: "admin", world: "sim" },
      },
    ]);
  });

  it("is not done when that cannot be put on record", async () => {
    kept.length = 0;
    const begin = () => Promise.reject(new Error("the disk is full"));
    const audit = { begin, record: async () => {} };
    server = await startTestServer({ routes: [told], app: { audit } });
    expect((await call(server)).status).toBe(500);
    expect(kept).toEqual([]);
  });

  it("is told to be done when only its end cannot be put on record, and the log says so", async () => {
    const record = () => Promise.reject(new Error("the disk is full"));
    const audit = { begin: async () => {}, record };
    server = await startTestServer({ routes: [told], app: { audit } });
    expect((await call(server)).status).toBe(200);
    expect(server.logged()).toContain("a change is not audited");
  });

  it("that is refused is not begun", async () => {
    const begun: object[] = [];
    const audit = {
      begin: async (intent: object) => void begun.push(intent),
      record: async () => {},
    };
    server = await startTestServer({ routes: [told], app: { audit } });
    const json = { role: 1 };
    expect((await send(server, "POST", "/told/a", { token: "operate", json })).status).toBe(400);
    expect((await send(server, "POST", "/told/a", { token: "read", json })).status).toBe(403);
    expect(begun).toEqual([]);
  });
});

describe("notes of refusals", () => {
  it("come once a minute for each, with how many went untold", async () => {
    const clock = new VirtualClock();
    const notes = new RefusalNotes(clock);
    expect([notes.note("a"), notes.note("a"), notes.note("b"), notes.note("a")]).toEqual([
      0,
      undefined,
      0,
      undefined,
    ]);
    await clock.advance(60_000);
    expect([notes.note("a"), notes.note("b")]).toEqual([2, 0]);
  });

  it("are bounded in a minute, and begin again in the next", async () => {
    const clock = new VirtualClock();
    const notes = new RefusalNotes(clock);
    const told = () =>
      Array.from({ length: 1000 }, (_, at) => notes.note(`caller ${at}`)).filter(
        (untold) => untold !== undefined,
      ).length;
    expect(told()).toBe(256);
    await clock.advance(60_000);
    expect(told()).toBe(256);
  });
});
