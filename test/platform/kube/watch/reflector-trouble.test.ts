import { describe, expect, it, onTestFinished } from "vitest";
import type { KubeObject } from "../../../../src/platform/kube/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { FakeApi, failure } from "../support/fake-api.ts";
import { advanceUntil, names, node, nodes, setUp } from "../support/reflector-setup.ts";

describe("a reflector in trouble", () => {
  it.each([
    ["a dropped connection", (api: FakeApi) => api.dropWatches()],
    ["a half-closed connection", (api: FakeApi) => api.halfCloseWatches()],
    ["a line that is no event", (api: FakeApi) => api.sendRaw("{]\n")],
    ["an event without a name", (api: FakeApi) => api.sendRaw('{"type":"ADDED","object":{}}\n')],
    ["an event of an unknown type", (api: FakeApi) => api.sendRaw('{"type":"X","object":{}}\n')],
    ["an error event", (api: FakeApi) => api.errorEvent(failure(500, "InternalError"))],
    ["an event that is too long", (api: FakeApi) => api.sendRaw("x".repeat(5_000))],
  ])("recovers from %s", async (_, fault) => {
    const { api, reflector, clock, failures } = await setUp({ lineBytesMax: 4_000 });
    await waitUntil("it watches", () => api.watchCount === 1);
    fault(api);
    await waitUntil("it noticed", () => failures.length === 1);
    expect(reflector.freshness.state).toBe("stale");
    api.put(nodes, node("after"));
    await advanceUntil(clock, "it hears again", () => reflector.objects.has("after"));
    await advanceUntil(clock, "it recovers", () => reflector.freshness.state === "live");
    expect(reflector.freshness.lastError).toBeUndefined();
  });

  it.each([
    ["500", { status: 500 }],
    ["a dropped connection", "drop"],
    ["garbage", "garbage"],
    ["half an answer", "cut"],
    ["403", { status: 403 }],
  ] as const)("tries its first list until it works: %s", async (_, fault) => {
    const { api, reflector, clock } = await setUp({}, (fake) => {
      for (let times = 0; times < 7; times++) fake.failNext("list", fault);
    });
    await advanceUntil(clock, "it has tried", () => reflector.counts.failures > 0);
    expect(reflector.freshness.state).toBe("starting");
    expect(reflector.freshness.lastError?.message).toContain("Kubernetes API");
    await advanceUntil(clock, "it lists", () => reflector.freshness.state === "live");
    expect(api.watchCount).toBeLessThanOrEqual(1);
  });

  it("starts its list again with larger pages when the snapshot expires under way", async () => {
    const { api, reflector } = await setUp({}, (fake) => {
      for (let at = 0; at < 20; at++) fake.put(nodes, node(`n${at}`));
      fake.intercept = ({ url }) => {
        if (url.searchParams.has("continue")) fake.compact();
        return false;
      };
    });
    await waitUntil("it watches", () => api.watchCount === 1);
    expect(reflector.objects.size).toBe(20);
    const limits = api.seen.map(({ url }) => url.searchParams.get("limit"));
    expect(limits).toEqual(["3", "3", "12", "12", "48", null]);
  });

  it("is stale and says why while there is an object that cannot be projected", async () => {
    const project = ({ metadata }: KubeObject) => {
      if (metadata.name === "odd") throw new Error("cannot read odd");
      return { label: metadata.labels?.["label"] };
    };
    const { api, reflector, clock } = await setUp({ project });
    await waitUntil("it watches", () => api.watchCount === 1);
    api.put(nodes, node("odd"));
    await advanceUntil(clock, "it has listed again", () => reflector.counts.failures > 3);
    expect(reflector.freshness.state).toBe("stale");
    expect(reflector.freshness.lastError?.message).toBe("cannot read odd");
    api.remove(nodes, "odd");
    await advanceUntil(clock, "it recovers", () => reflector.freshness.state === "live");
  });

  it("lists again when a watch can no longer be had", async () => {
    const { api, reflector, clock } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    for (let times = 0; times < 3; times++) api.failNext("watch", { status: 500 });
    api.dropWatches();
    await advanceUntil(clock, "it lists", () => reflector.counts.lists >= 2);
    await advanceUntil(clock, "it watches", () => api.watchCount === 1);
    expect(reflector.freshness.state).toBe("live");
  });

  it("survives the end of the server and the start of another one", async () => {
    const { api, reflector, clock, failures } = await setUp({}, (fake) =>
      fake.put(nodes, node("a")),
    );
    await waitUntil("it watches", () => api.watchCount === 1);
    const { port } = api;
    await api.stop();
    await advanceUntil(clock, "it noticed", () => failures.length > 2);
    expect(reflector.freshness.state).toBe("stale");
    const next = await FakeApi.start(undefined, port);
    onTestFinished(() => next.stop());
    next.table.revision = 5;
    next.put(nodes, node("b"));
    await advanceUntil(clock, "it recovers", () => reflector.objects.has("b"));
    expect(names(reflector)).toEqual(["b"]);
    expect(reflector.freshness.state).toBe("live");
  });
});
