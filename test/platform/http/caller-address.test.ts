import { describe, expect, it } from "vitest";
import { addressKey, createCallerAddress } from "../../../src/platform/http/caller-address.ts";
import { callerKey } from "../../../src/platform/http/caller-key.ts";
import { send, startTestServer } from "./support.ts";

describe("where a call comes from", () => {
  const behind = createCallerAddress(["10.0.0.0/8", "fd00::/8"]);

  it.each([
    ["10.0.0.7", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.7", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["10.0.0.7", "198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
    ["::ffff:10.0.0.7", "203.0.113.9:4711", "203.0.113.9"],
    ["fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
    ["10.0.0.7", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
  ])("is by a proxy at %s, which says %s, told to be %s", (address, forwardedFor, caller) => {
    expect(behind({ address, forwardedFor })).toBe(caller);
  });

  it.each([
    ["203.0.113.1", "198.51.100.1", "203.0.113.1"],
    ["10.0.0.7", "198.51.100.1, nonsense", "10.0.0.7"],
    ["10.0.0.7", undefined, "10.0.0.7"],
    ["10.0.0.7", "", "10.0.0.7"],
    [undefined, "198.51.100.1", "unknown"],
  ])("is its other end for one at %s that says %s", (address, forwardedFor, caller) => {
    expect(behind({ address, forwardedFor })).toBe(caller);
  });

  it("is always its other end where no proxy is trusted", () => {
    const direct = createCallerAddress([]);
    expect(direct({ address: "10.0.0.7", forwardedFor: "1.2.3.4" })).toBe("10.0.0.7");
  });
});

describe("an address is counted", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::5", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
    ["unknown", "unknown"],
  ])("%s as %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it("by its token where there is one", () => {
    const caller = { name: "ci", role: "read", tokenId: "t1" } as const;
    expect(callerKey(caller, "2001:db8::5")).toBe("token t1");
  });
});

describe("strangers behind a proxy", () => {
  const generous = { perSecond: 1000, burst: 10_000 };
  const single = { perSecond: 0.01, burst: 1 };
  const rateLimits = { reads: generous, changes: generous, "failed-tokens": single };
  const guess = (server: { readonly port: number }, forwardedFor: string) =>
    send(server, "GET", "/things/1", {
      token: "wrong",
      headers: { "x-forwarded-for": forwardedFor },
    });

  it("are limited apart when the proxy is trusted, and together when it is not", async () => {
    const trustedProxies = ["127.0.0.0/8"];
    await using apart = await startTestServer({ app: { rateLimits, trustedProxies } });
    await using together = await startTestServer({ app: { rateLimits } });
    const statuses = async (server: { readonly port: number }) => [
      (await guess(server, "203.0.113.1")).status,
      (await guess(server, "203.0.113.2")).status,
      (await guess(server, "203.0.113.1")).status,
    ];
    expect(await statuses(apart)).toEqual([401, 401, 429]);
    expect(await statuses(together)).toEqual([401, 429, 429]);
  });
});
