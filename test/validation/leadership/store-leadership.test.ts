import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import { createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";
import {
  createStoreLeadership,
  type Leadership,
} from "../../../src/validation/leadership/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const ttlMs = 10_000;

async function openTestStore(): Promise<Store> {
  const url = `sqlite:${join(await tempDir(), "store.db")}`;
  const store = await openStore({ url, clock: createRealClock() });
  onTestFinished(() => store.close());
  return store;
}

function candidate(store: Store, holder: string, clock: VirtualClock): Leadership {
  return createStoreLeadership({ store, name: "validation/c", holder, clock, ttlMs });
}

/** Moves time until something holds; the store itself works in real time. */
async function advanceUntil(what: string, clock: VirtualClock, condition: () => boolean) {
  await waitUntil(what, async () => {
    if (!condition()) await clock.advance(250);
    return condition();
  });
}

describe("leadership by a lock in the store", () => {
  test("one leads, the other knows who and since when", async () => {
    const store = await openTestStore();
    const clock = new VirtualClock({ epochMs: 1_000_000 });
    const [first, second] = [candidate(store, "a", clock), candidate(store, "b", clock)];
    first.start();
    await advanceUntil("the first leads", clock, () => first.isLeader());
    second.start();
    await advanceUntil("the second has looked", clock, () => second.leader() !== undefined);
    expect(second.isLeader()).toBe(false);
    expect(second.fence()).toBeUndefined();
    expect(second.leader()).toEqual({ holder: "a", sinceMs: 1_000_000, isThisProcess: false });
    expect(first.leader()).toMatchObject({ holder: "a", isThisProcess: true });
    await first.stop();
    await second.stop();
  });

  test("stopping hands it over at once, with a larger fence", async () => {
    const store = await openTestStore();
    const clock = new VirtualClock();
    const [first, second] = [candidate(store, "a", clock), candidate(store, "b", clock)];
    first.start();
    await advanceUntil("the first leads", clock, () => first.isLeader());
    const fence = first.fence() ?? 0;
    second.start();
    await first.stop();
    expect(first.isLeader()).toBe(false);
    const stoppedMs = clock.monotonicMs();
    await advanceUntil("the second leads", clock, () => second.isLeader());
    expect(clock.monotonicMs() - stoppedMs).toBeLessThan(ttlMs);
    expect(second.fence()).toBeGreaterThan(fence);
    await second.stop();
  });

  test("a leader that cannot renew stops before another may begin", async () => {
    const store = await openTestStore();
    const clock = new VirtualClock();
    let fails = false;
    const failing = new Proxy(store, {
      get: (target, name) => {
        if (fails) throw new Error("the store is away");
        return Reflect.get(target, name) as unknown;
      },
    });
    const troubles: unknown[] = [];
    const first = createStoreLeadership({
      store: failing,
      name: "validation/c",
      holder: "a",
      clock,
      ttlMs,
      onTrouble: (error) => troubles.push(error),
    });
    const second = candidate(store, "b", clock);
    first.start();
    await advanceUntil("the first leads", clock, () => first.isLeader());
    second.start();
    fails = true;
    await advanceUntil("the second leads", clock, () => {
      expect(first.isLeader() && second.isLeader()).toBe(false);
      return second.isLeader();
    });
    expect(troubles.some((trouble) => trouble instanceof Error)).toBe(true);
    fails = false;
    await advanceUntil("the first knows", clock, () => first.leader()?.holder === "b");
    expect(first.isLeader()).toBe(false);
    await first.stop();
    await second.stop();
  });
});
