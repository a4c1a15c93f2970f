import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  hostInUrl,
  hostnameOf,
  isLoopback,
  loopbackNames,
} from "../../../../src/platform/http/guards/host.ts";
import { isSameOrigin } from "../../../../src/platform/http/guards/origin.ts";
import { send, startTestServer, type TestServer } from "../support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop(0);
});

describe("the Host header", () => {
  it.each(["localhost", "LOCALHOST:7070", "127.0.0.1:1"])("may be %s", async (host) => {
    expect((await send(server, "GET", "/things/1", { headers: { host } })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "evil.example:7070",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "127.0.0.2",
    "a b",
  ])("may not be %s, not even for what is open", async (host) => {
    for (const path of ["/things/1", "/alive", "/nowhere"]) {
      const answer = await send(server, "GET", path, { headers: { host } });
      expect([answer.status, answer.json["code"]]).toEqual(
        host === "a b" ? [400, "E_REQUEST_INVALID"] : [421, "E_HOST_REFUSED"],
      );
    }
  });

  it("may be anything where every call needs a token", async () => {
    await using other = await startTestServer({ app: { hosts: "any", openReads: false } });
    const headers = { host: "tessera.team.svc" };
    expect((await send(other, "GET", "/things/1", { headers, token: "read" })).status).toBe(200);
  });
});

describe("a page of another site", () => {
  const change = (headers: Record<string, string>) =>
    send(server, "POST", "/things", { token: "admin", json: { name: "a" }, headers });

  it("may not change anything, even with a token", async () => {
    for (const origin of [
      "http://evil.example",
      "null",
      `http://localhost:${server.port + 1}`,
      "garbage",
    ]) {
      const answer = await change({ origin });
      expect([answer.status, answer.json["code"]]).toEqual([403, "E_ORIGIN_REFUSED"]);
    }
    expect((await change({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await change({ "sec-fetch-site": "same-site" })).status).toBe(403);
  });

  it("may not take up an event stream", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await send(server, "GET", "/api/v1/events", { headers })).status).toBe(403);
    expect(server.hub.subscriberCount).toBe(0);
  });

  it("is told apart from our own page and from programs", async () => {
    expect((await change({ origin: `http://127.0.0.1:${server.port}` })).status).toBe(201);
    expect(
      (await change({ origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" }))
        .status,
    ).toBe(201);
    expect((await change({})).status).toBe(201);
  });

  it("may link to us", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect((await send(server, "GET", "/page", { headers })).status).toBe(200);
  });
});

describe("names and addresses", () => {
  it.each(["localhost", "Localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]", "0:0:0:0:0:0:0:1"])(
    "%s is only this machine",
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "128.0.0.1",
    "::2",
    "example.org",
    "localhost.example.org",
    "",
    "1",
  ])("%s can be reached from elsewhere, as far as we know", (host) => {
    expect(isLoopback(host)).toBe(false);
  });

  it("are read from a Host header", () => {
    expect(hostnameOf("[::1]:80")).toBe("::1");
    expect(hostnameOf("A.b:80")).toBe("a.b");
    expect(hostnameOf(undefined)).toBeUndefined();
    expect(hostnameOf("a:b:c")).toBeUndefined();
    expect(hostnameOf("a@b")).toBeUndefined();
  });

  it("stand in a URL with brackets where they need them", () => {
    expect(hostInUrl("::1")).toBe("[::1]");
    expect(hostInUrl("127.0.0.1")).toBe("127.0.0.1");
  });

  it("of a loopback server include the one it was given", () => {
    expect(loopbackNames("127.0.0.9")).toEqual(["localhost", "127.0.0.1", "::1", "127.0.0.9"]);
    expect(loopbackNames("[::1]")).toEqual(["localhost", "127.0.0.1", "::1"]);
  });

  it("count for the origin with their port", () => {
    const headers = { secFetchSite: undefined, host: "a:1" };
    expect(isSameOrigin({ ...headers, origin: "http://a:1" })).toBe(true);
    expect(isSameOrigin({ ...headers, origin: "https://A:1" })).toBe(true);
    expect(isSameOrigin({ ...headers, origin: "http://a:2" })).toBe(false);
    expect(isSameOrigin({ ...headers, origin: "http://a:1", host: undefined })).toBe(false);
  });
});
