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
