import { describe, expect, it } from "vitest";
import type { FakeKube } from "../../support/fake-kube/index.ts";
import { editConcurrently, inject, startWorld, stateOf } from "./world.ts";

/** From its k-th request on this caller is dead: that one is not sent, or acts and is not answered. */
function killAt(kube: FakeKube, caller: string, at: number, how: "before" | "after"): () => number {
  let requests = 0;
  kube.interfere = ({ authorization, method }) => {
    if (authorization !== `Bearer ${caller}`) return undefined;
    requests++;
    if (requests < at) return undefined;
    return requests === at && how === "after" && method !== "GET" ? "lose" : { status: 403 };
  };
  return () => requests;
}

async function expected(): Promise<unknown> {
  const { kube } = await startWorld();
  editConcurrently(kube);
  return stateOf(kube);
}

describe.each(["before", "after"] as const)("a reaper killed %s any of its requests", (how) => {
  it("is replaced by another, which leaves the originals with the others' edits", async () => {
    const wanted = await expected();
    for (let at = 1; ; at++) {
      const world = await startWorld();
      await inject(world, "f1");
      world.clock.aheadMs += 10_000;
      const requests = killAt(world.kube, "agent/n1", at, how);
      await world
        .reaper("agent/n1")
        .sweep()
        .catch(() => undefined);
      editConcurrently(world.kube);
      world.clock.aheadMs += 3_000;
      const second = world.reaper("fault-api");
      for (let look = 0; look < 3; look++) {
        await second.sweep();
        world.clock.aheadMs += 3_000;
      }
      expect(stateOf(world.kube), `killed at request ${at}`).toEqual(wanted);
      expect((await world.book("x").get("f1")).status?.state).toBe("reverted");
      if (requests() < at) return;
      expect(at).toBeLessThan(60);
    }
  });
});

describe("many reapers at once", () => {
  it("take a fault back together without harm", async () => {
    const wanted = await expected();
    const world = await startWorld();
    await inject(world, "f1");
    editConcurrently(world.kube);
    world.clock.aheadMs += 10_000;
    const reapers = ["fault-api", "agent/n1", "runner/r1"].map((by) => world.reaper(by));
    await Promise.all(reapers.map((reaper) => reaper.sweep()));
    expect(stateOf(world.kube)).toEqual(wanted);
    const { status } = await world.book("x").get("f1");
    expect(status?.state).toBe("reverted");
    const claims = status?.history?.filter(({ state }) => state === "reverting");
    expect(claims).toHaveLength(1);
  });
});
