import { describe, expect, it } from "vitest";
import { z } from "zod";
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
});
