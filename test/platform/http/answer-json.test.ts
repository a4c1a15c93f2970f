import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerJson } from "../../../src/platform/http/answer-json.ts";
import { accepts, matchesEtag } from "../../../src/platform/http/conditional.ts";
import { defineRoute } from "../../../src/platform/http/route.ts";
import { send, startTestServer } from "./support.ts";

const plain = {
  status: 200,
  isShared: false,
  isRead: true,
  acceptEncoding: undefined,
  ifNoneMatch: undefined,
};
const large = { nodes: Array.from({ length: 2000 }, (_, at) => ({ name: `node-${at}` })) };

describe("an answer to a read", () => {
  it("has a tag of its body: the same for the same, another for another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        const [first, again, second] = await Promise.all(
          [one, one, other].map((json) => answerJson(json, plain)),
        );
        const tag = first?.headers.get("etag");
        expect(tag).toMatch(/^"[\w-]+"$/);
        expect(again?.headers.get("etag")).toBe(tag);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(second?.headers.get("etag") === tag).toBe(isSame);
      }),
    );
  });

  it("is 304 without a body for whoever has it, in whatever form, and whole for all others", async () => {
    await using server = await startTestServer();
    const first = await send(server, "GET", "/things/1");
    const etag = String(first.headers.etag);
    expect(first.headers.vary).toBe("authorization, accept-encoding");
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*", etag.replace(/"$/, '-gz"')]) {
      const answer = await send(server, "GET", "/things/1", { headers: { "if-none-match": tag } });
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.headers.etag).toBe(etag);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
    for (const tag of ['"other"', etag.slice(1), ""]) {
      const answer = await send(server, "GET", "/things/1", { headers: { "if-none-match": tag } });
      expect(answer.status).toBe(200);
    }
    expect(await server.metrics.text()).toContain("tessera_http_not_modified_total 5");
  });

  it("has the same tag for HEAD", async () => {
    await using server = await startTestServer();
    const { headers } = await send(server, "GET", "/things/1");
    const head = await send(server, "HEAD", "/things/1");
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", headers.etag]);
    const known = { headers: { "if-none-match": String(headers.etag) } };
    expect((await send(server, "HEAD", "/things/1", known)).status).toBe(304);
  });

  it("is compressed when it is large and the reader takes that", async () => {
    const zipped = await answerJson(large, { ...plain, acceptEncoding: "br, gzip;q=0.5" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    const bytes = Buffer.from(await zipped.arrayBuffer());
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(large);
    for (const acceptEncoding of [undefined, "identity", "gzip;q=0"]) {
      const whole = await answerJson(large, { ...plain, acceptEncoding });
      expect(whole.headers.get("content-encoding")).toBeNull();
      expect(whole.headers.get("etag")).not.toBe(zipped.headers.get("etag"));
      expect(await whole.json()).toEqual(large);
    }
    const small = await answerJson({ a: 1 }, { ...plain, acceptEncoding: "gzip" });
    expect(small.headers.get("content-encoding")).toBeNull();
  });

  it("is written out once for an object that is shared, and each time for one that is not", async () => {
    let reads = 0;
    const watched = () => ({
      toJSON: () => {
        reads++;
        return "x";
      },
    });
    const shared = watched();
    for (let call = 0; call < 3; call++) await answerJson(shared, { ...plain, isShared: true });
    expect(reads).toBe(1);
    const own = watched();
    for (let call = 0; call < 3; call++) await answerJson(own, plain);
    expect(reads).toBe(4);
  });
});

describe("an answer that is no plain success of a read", () => {
  it("has no tag", async () => {
    await using server = await startTestServer({
      routes: [
        defineRoute({
          method: "GET",
          path: "/sick",
          summary: "Not well.",
          access: "open",
          responses: { description: "Sick.", schema: z.string() },
          handle: () => ({ status: 503, json: "sick" }),
        }),
      ],
    });
    const sick = await send(server, "GET", "/sick", { headers: { "if-none-match": "*" } });
    expect([sick.status, sick.headers.etag]).toEqual([503, undefined]);
    expect((await answerJson({}, { ...plain, isRead: false })).headers.get("etag")).toBeNull();
  });
});

describe("headers of any text", () => {
  it("never make their readers fail", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(typeof matchesEtag(header, ['"a"'])).toBe("boolean");
        expect(typeof accepts(header, "gzip")).toBe("boolean");
      }),
    );
  });
});
