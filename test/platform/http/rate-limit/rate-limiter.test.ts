import { describe, expect, it } from "vitest";
import {
  RateLimiter,
  type RateLimits,
} from "../../../../src/platform/http/rate-limit/rate-limiter.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { send, startTestServer } from "../support.ts";

const generous = { perSecond: 1000, burst: 10_000 };
const limits: RateLimits = { reads: generous, changes: generous, "failed-tokens": generous };
const single = { perSecond: 0.01, burst: 1 };

describe("callers of a server with limits", () => {
  it("are refused with how long to wait once they have used up their share, each for itself", async () => {
    await using server = await startTestServer({
      app: { rateLimits: { ...limits, reads: { perSecond: 0.01, burst: 2 } } },
    });
    for (const status of [200, 200, 429]) {
      const answer = await send(server, "GET", "/things/1", { token: "read" });
      expect(answer.status).toBe(status);
      if (status === 200) continue;
      expect(answer.json).toMatchObject({ code: "E_RATE_LIMITED", detail: /Too many reads/ });
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(1);
    }
    expect((await send(server, "GET", "/things/1", { token: "admin" })).status).toBe(200);
    expect((await send(server, "GET", "/things/1")).status).toBe(200);
    expect(await server.metrics.text()).toContain(
      'tessera_http_rate_limited_total{kind="reads"} 1',
    );
  });

  it("have changes counted apart from reads", async () => {
    await using server = await startTestServer({
      app: { rateLimits: { ...limits, changes: single } },
    });
    const thing = { token: "operate", json: { name: "disk" } };
    expect((await send(server, "POST", "/things", thing)).status).toBe(201);
    expect((await send(server, "POST", "/things", thing)).status).toBe(429);
    expect((await send(server, "GET", "/things/1", { token: "operate" })).status).toBe(200);
  });

  it("always hear whether the server lives", async () => {
    await using server = await startTestServer({
      app: { rateLimits: { ...limits, reads: single } },
    });
    for (let call = 0; call < 5; call++) {
      expect((await send(server, "GET", "/alive")).status).toBe(200);
    }
  });

  it("who guess tokens are stopped before anything is looked up, others at their address are not", async () => {
    let lookups = 0;
    await using server = await startTestServer({
      app: {
        rateLimits: { ...limits, "failed-tokens": { perSecond: 0.01, burst: 3 } },
        authenticator: {
          identify: async (secret) => {
            lookups++;
            return secret === "good" ? { name: "good", role: "admin" } : "unknown";
          },
        },
      },
    });
    expect((await send(server, "GET", "/things/1", { token: "good" })).status).toBe(200);
    const guesses = [];
    for (let guess = 0; guess < 6; guess++) {
      guesses.push((await send(server, "GET", "/things/1", { token: `guess-${guess}` })).status);
    }
    expect(guesses).toEqual([401, 401, 401, 429, 429, 429]);
    expect(lookups).toBe(4);
    expect((await send(server, "GET", "/things/1", { token: "good" })).status).toBe(200);
    expect((await send(server, "GET", "/things/1")).status).toBe(200);
  });

  it("are not limited where nobody set limits", async () => {
    await using server = await startTestServer();
    for (let call = 0; call < 50; call++) {
      expect((await send(server, "GET", "/things/1")).status).toBe(200);
    }
  });
});

describe("the limiter", () => {
  it("remembers a bounded number of callers, and forgets who was quiet the longest", () => {
    const limiter = new RateLimiter({
      clock: new VirtualClock(),
      limits: { ...limits, reads: single },
      callersMax: 2,
    });
    for (const caller of ["a", "b", "c"]) limiter.use("reads", caller);
    expect(() => limiter.use("reads", "c")).toThrow(/Too many/);
    expect(() => limiter.use("reads", "b")).toThrow(/Too many/);
    expect(() => limiter.use("reads", "a")).not.toThrow();
  });
});
