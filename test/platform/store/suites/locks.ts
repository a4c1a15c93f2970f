import { describe, expect, onTestFinished, test } from "vitest";
import {
  acquireStoreLock,
  holdsStoreLock,
  releaseStoreLock,
  renewStoreLock,
  type Store,
} from "../../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { EngineUnderTest } from "../support/engines.ts";

export function lockSuite(engine: EngineUnderTest): void {
  const setUp = async (): Promise<{ store: Store; clock: VirtualClock }> => {
    const store = await engine.newStore();
    onTestFinished(() => store.close());
    return { store, clock: new VirtualClock({ epochMs: 1_000_000 }) };
  };
  const wish = (holder: string, clock: VirtualClock) => ({
    name: "loop",
    holder,
    ttlMs: 100,
    clock,
  });

  describe("a store lock", () => {
    test("is held by one of all who try at once", async () => {
      const { store, clock } = await setUp();
      const tries = ["a", "b", "c", "d"].map((holder) =>
        acquireStoreLock(store.db, wish(holder, clock)),
      );
      const held = (await Promise.all(tries)).filter((lock) => lock !== undefined);
      expect(held).toHaveLength(1);
      expect(held[0]).toMatchObject({ fencingToken: 1, expiresAtMs: 1_000_100 });
    });

    test("does not keep locks of other names from being taken", async () => {
      const { store, clock } = await setUp();
      await acquireStoreLock(store.db, wish("a", clock));
      const other = await acquireStoreLock(store.db, { ...wish("b", clock), name: "other" });
      expect(other).toMatchObject({ holder: "b", fencingToken: 1 });
    });

    test("can be taken over when it has expired, and not a moment before", async () => {
      const { store, clock } = await setUp();
      const first = await acquireStoreLock(store.db, wish("a", clock));
      await clock.advance(99);
      expect(await acquireStoreLock(store.db, wish("b", clock))).toBeUndefined();
      await clock.advance(1);
      const second = await acquireStoreLock(store.db, wish("b", clock));
      expect(second?.fencingToken).toBe(2);
      if (first === undefined) throw new Error("the lock was free");
      expect(await renewStoreLock(store.db, first, clock)).toBeUndefined();
      expect(await releaseStoreLock(store.db, first)).toBe(false);
      expect(await holdsStoreLock(store.db, first, clock)).toBe(false);
    });

    test("is kept by renewing it, but not once it has expired", async () => {
      const { store, clock } = await setUp();
      const lock = await acquireStoreLock(store.db, wish("a", clock));
      if (lock === undefined) throw new Error("the lock was free");
      await clock.advance(60);
      const renewed = await renewStoreLock(store.db, lock, clock);
      expect(renewed?.expiresAtMs).toBe(1_000_160);
      await clock.advance(60);
      expect(await holdsStoreLock(store.db, lock, clock)).toBe(true);
      expect(await acquireStoreLock(store.db, wish("b", clock))).toBeUndefined();
      await clock.advance(40);
      expect(await renewStoreLock(store.db, lock, clock)).toBeUndefined();
    });

    test("is free at once when it is given back, and its tokens count on", async () => {
      const { store, clock } = await setUp();
      const lock = await acquireStoreLock(store.db, wish("a", clock));
      if (lock === undefined) throw new Error("the lock was free");
      expect(await releaseStoreLock(store.db, lock)).toBe(true);
      expect(await holdsStoreLock(store.db, lock, clock)).toBe(false);
      expect(await renewStoreLock(store.db, lock, clock)).toBeUndefined();
      expect((await acquireStoreLock(store.db, wish("b", clock)))?.fencingToken).toBe(2);
    });

    test("taken again by its holder fences off the holder's former self", async () => {
      const { store, clock } = await setUp();
      const before = await acquireStoreLock(store.db, wish("a", clock));
      const after = await acquireStoreLock(store.db, wish("a", clock));
      if (before === undefined || after === undefined) throw new Error("the lock was free");
      expect(after.fencingToken).toBe(2);
      expect(await holdsStoreLock(store.db, before, clock)).toBe(false);
      expect(await store.transaction((trx) => holdsStoreLock(trx, after, clock))).toBe(true);
    });
  });
}
