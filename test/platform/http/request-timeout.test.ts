import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Caller } from "../../../src/platform/http/auth/caller.ts";
import { defineRoute } from "../../../src/platform/http/route.ts";
import { send, startTestServer } from "./support.ts";

const slow = defineRoute({
  method: "GET",
  path: "/slow",
  summary: "Never answers.",
  access: "read",
  responses: { description: "Nothing.", schema: z.unknown() },
  handle: () => new Promise<never>(() => {}),
});

const quick = defineRoute({
  method: "GET",
  path: "/quick",
  summary: "Answers.",
  access: "read",
  responses: { description: "Something.", schema: z.unknown() },
  handle: () => ({ json: { done: true } }),
});

describe("a request's time", () => {
  it("ends with E_TIMEOUT when its handler takes longer than the limit", async () => {
    const app = { requestTimeoutMs: 5 };
    await using server = await startTestServer({ routes: [slow], app });
    const answer = await send(server, "GET", "/slow");
    expect(answer.status).toBe(504);
    expect(answer.json).toMatchObject({
      code: "E_TIMEOUT",
      detail: expect.stringContaining("/slow"),
    });
  });

  it("does not matter to a handler that answers within it", async () => {
    await using server = await startTestServer({ routes: [quick] });
    const answer = await send(server, "GET", "/quick");
    expect([answer.status, answer.json]).toEqual([200, { done: true }]);
  });

  it("includes finding out who calls, after which nothing is begun any more", async () => {
    let answer = (_caller: Caller) => {};
    const caller = new Promise<Caller>((resolve) => {
      answer = resolve;
    });
    let begun = 0;
    const change = defineRoute({
      method: "POST",
      path: "/change",
      summary: "Changes something.",
      access: "operate",
      action: "change",
      responses: { description: "Something.", schema: z.unknown() },
      handle: () => {
        begun++;
        return { json: {} };
      },
    });
    const app = { requestTimeoutMs: 20, authenticator: { identify: () => caller } };
    await using server = await startTestServer({ routes: [change], app });
    const call = () => send(server, "POST", "/change", { token: "operate" });
    expect((await call()).json).toMatchObject({ status: 504, code: "E_TIMEOUT" });
    answer({ name: "late", role: "operate" });
    expect((await call()).status).toBe(200);
    expect(begun).toBe(1);
  });
});
