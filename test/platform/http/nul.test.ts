import { expect, it } from "vitest";
import { z } from "zod";
import { pathOfNul } from "../../../src/platform/http/nul.ts";
import { defineRoute } from "../../../src/platform/http/route.ts";
import { send, startTestServer } from "./support.ts";

it.each([
  ["\u0000", []],
  [{ reason: "a\u0000" }, ["reason"]],
  [{ tags: ["a", { name: "\u0000b" }] }, ["tags", 1, "name"]],
  [{ inner: { "a\u0000": 1 } }, ["inner"]],
])("NUL in %j is found", (value, path) => {
  expect(pathOfNul(value)).toEqual(path);
});

it.each([["\\u0000"], [{ a: ["\u0001", 0, null, true] }], [undefined]])(
  "there is none in %j",
  (value) => {
    expect(pathOfNul(value)).toBeUndefined();
  },
);

it("is found however deep it is", () => {
  const depth = 400_000;
  const body: unknown = JSON.parse(`${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}`);
  expect(pathOfNul(body)).toHaveLength(depth);
});

it("is refused in each part of a request, and the refusal is kept without it", async () => {
  const route = defineRoute({
    method: "POST",
    path: "/texts/:id",
    summary: "Takes texts.",
    access: "operate",
    action: "text.take",
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ also: z.string().optional() }),
    body: z.strictObject({ text: z.string() }),
    responses: { description: "It.", schema: z.looseObject({}) },
    handle: ({ body }) => ({ json: body }),
  });
  await using server = await startTestServer({ routes: [route] });
  const post = (path: string, text: string) =>
    send(server, "POST", path, { token: "operate", json: { text } });
  expect((await post("/texts/a?also=b", "c")).status).toBe(200);
  for (const [path, text, part] of [
    ["/texts/a%00", "c", "path"],
    ["/texts/a?also=%00", "c", "query"],
    ["/texts/a", "c\u0000", "body"],
  ] as const) {
    const answer = await post(path, text);
    expect(answer).toMatchObject({ status: 400, json: { code: "E_REQUEST_INVALID" } });
    expect(answer.json["detail"]).toContain(`The ${part} of the request is not valid`);
    expect(answer.json["detail"]).toContain("U+0000");
  }
  expect(JSON.stringify(server.audited)).not.toContain("\\u0000");
});
