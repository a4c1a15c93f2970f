import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../support/wait-until.ts";
import { failure } from "../support/fake-api.ts";
import { advanceUntil, names, node, nodes, setUp } from "../support/reflector-setup.ts";

describe("a reflector", () => {
  it("lists in pages, keeps what it was asked to, and watches from there", async () => {
    const { api, reflector, events } = await setUp({}, (fake) => {
      for (let at = 0; at < 8; at++) fake.put(nodes, node(`n${at}`));
    });
    expect(reflector.freshness).toEqual({ state: "starting" });
    await waitUntil("it watches", () => api.watchCount === 1);
    expect(reflector.objects.get("n7")).toEqual({ label: "x" });
    expect(reflector.objects.size).toBe(8);
    expect(api.seen.filter(({ url }) => url.searchParams.has("limit"))).toHaveLength(3);
    api.put(nodes, node("n8"));
    api.put(nodes, node("n0", "changed"));
    api.remove(nodes, "n1");
    await waitUntil("the changes arrive", () => events.length === 12);
    expect(events.slice(8)).toEqual([
      { type: "synced" },
      { type: "added", key: "n8", object: { label: "x" } },
      { type: "updated", key: "n0", object: { label: "changed" }, previous: { label: "x" } },
      { type: "deleted", key: "n1", object: { label: "x" } },
    ]);
    expect(reflector.freshness.state).toBe("live");
  });

  it("passes its selection on and asks for bookmarks", async () => {
    const selection = { labelSelector: "a=b", fieldSelector: "metadata.name!=c" };
    const { api } = await setUp(selection);
    await waitUntil("it watches", () => api.watchCount === 1);
    const [list, watch] = api.seen.map(({ url }) => Object.fromEntries(url.searchParams));
    expect(list).toMatchObject({ ...selection, limit: "3" });
    expect(watch).toMatchObject({
      ...selection,
      allowWatchBookmarks: "true",
      resourceVersion: "100",
    });
  });

  it("goes on from the last bookmark after the server ended the watch", async () => {
    const { api, reflector } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    api.table.revision = 170;
    api.bookmark();
    await waitUntil("the bookmark arrives", () => reflector.counts.events === 1);
    api.endWatches();
    await waitUntil("it watches again", () => reflector.counts.watches === 2);
    expect(reflector.freshness.state).toBe("live");
    expect(api.seen.at(-1)?.url.searchParams.get("resourceVersion")).toBe("170");
    expect(reflector.counts).toMatchObject({ lists: 1, watches: 2, failures: 0 });
  });

  it("lists again after a 410, as a status or as an event, and reports missed deletions", async () => {
    for (const how of ["status", "event"] as const) {
      const { api, reflector, events, clock } = await setUp({}, (fake) => {
        fake.put(nodes, node("stays"));
        fake.put(nodes, node("goes"));
      });
      await waitUntil("it watches", () => api.watchCount === 1);
      if (how === "status") api.dropWatches();
      else api.stallWatches();
      api.remove(nodes, "goes");
      api.put(nodes, node("comes"));
      api.compact();
      if (how === "event") {
        api.endWatches();
        api.failNext("watch", {
          status: 200,
          body: { type: "ERROR", object: failure(410, "Expired") },
        });
      }
      await advanceUntil(clock, "it listed again", () => reflector.counts.lists === 2);
      await waitUntil("it watches", () => api.watchCount === 1);
      expect(names(reflector)).toEqual(["comes", "stays"]);
      expect(events.slice(3)).toEqual([
        { type: "deleted", key: "goes", object: { label: "x" } },
        { type: "added", key: "comes", object: { label: "x" } },
        { type: "synced" },
      ]);
    }
  });

  it("reports an object deleted and made again while it was away as deleted and added", async () => {
    const { api, reflector, events, clock } = await setUp({}, (fake) => fake.put(nodes, node("a")));
    await waitUntil("it watches", () => api.watchCount === 1);
    api.dropWatches();
    api.remove(nodes, "a");
    api.put(nodes, node("a", "again"));
    api.compact();
    await advanceUntil(clock, "it listed again", () => reflector.counts.lists === 2);
    expect(events.slice(2, 4).map(({ type }) => type)).toEqual(["deleted", "added"]);
  });

  it("is not live again before the resumed watch has held for a while or sent a bookmark", async () => {
    for (const how of ["time", "bookmark"] as const) {
      const { api, reflector, clock } = await setUp();
      await waitUntil("it watches", () => api.watchCount === 1);
      api.dropWatches();
      await advanceUntil(clock, "it watches again", () => api.watchCount === 1);
      await waitUntil("the server's answer arrives", () => reflector.counts.watches === 2);
      expect(reflector.freshness.state).toBe("stale");
      if (how === "time") await clock.advance(1_000);
      else api.bookmark();
      await waitUntil("it is live", () => reflector.freshness.state === "live");
    }
  });

  it("waits as long as a 429 asks before it watches again", async () => {
    const failedAtMs: number[] = [];
    const { api, reflector, clock } = await setUp({
      onFailure: () => failedAtMs.push(clock.monotonicMs()),
    });
    await waitUntil("it watches", () => api.watchCount === 1);
    api.failNext("watch", { status: 429, headers: { "retry-after": "7" } });
    api.dropWatches();
    await advanceUntil(clock, "the 429 arrived", () => failedAtMs.length === 2);
    await advanceUntil(clock, "it watches", () => api.watchCount === 1);
    expect(clock.monotonicMs() - (failedAtMs[1] ?? 0)).toBeGreaterThanOrEqual(6_900);
    expect(reflector.counts.lists).toBe(1);
  });

  it("gives up on a watch that stays silent, says it is stale, and lists again", async () => {
    const { api, reflector, clock, failures } = await setUp({}, (fake) =>
      fake.put(nodes, node("a")),
    );
    await waitUntil("it watches", () => api.watchCount === 1);
    const heardAtMs = reflector.freshness.syncedAtMs;
    api.stallWatches();
    api.put(nodes, node("b"));
    await clock.advance(89_000);
    expect(reflector.freshness.state).toBe("live");
    api.failNext("list", "stall");
    await advanceUntil(clock, "it noticed", () => failures.length > 0);
    expect(failures[0]?.message).toContain("silent for 90000 ms");
    expect(reflector.freshness).toMatchObject({
      state: "stale",
      syncedAtMs: heardAtMs,
      staleSinceMs: heardAtMs,
    });
    await advanceUntil(clock, "it recovers", () => reflector.freshness.state === "live");
    expect(names(reflector)).toEqual(["a", "b"]);
    expect(reflector.counts.lists).toBe(2);
  });

  it("keeps a quiet watch open while bookmarks come", async () => {
    const { api, reflector, clock } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    for (let minute = 1; minute <= 4; minute++) {
      await clock.advance(60_000);
      api.bookmark();
      await waitUntil("the bookmark arrives", () => reflector.counts.events === minute);
    }
    expect(reflector.freshness.state).toBe("live");
    expect(reflector.counts).toMatchObject({ lists: 1, watches: 1, failures: 0 });
  });

  it("knows that it is stale when the process slept, before any timer fires", async () => {
    const { api, reflector, clock } = await setUp();
    await waitUntil("it watches", () => api.watchCount === 1);
    expect(reflector.freshness.state).toBe("live");
    const original = clock.monotonicMs.bind(clock);
    clock.monotonicMs = () => original() + 200_000;
    expect(reflector.freshness.state).toBe("stale");
    clock.monotonicMs = original;
  });
});
