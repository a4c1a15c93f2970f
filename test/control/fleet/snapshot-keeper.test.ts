import { describe, expect, it } from "vitest";
import type { ClusterSnapshot } from "../../../src/control/fleet/cluster-snapshot.ts";
import { SnapshotKeeper } from "../../../src/control/fleet/snapshot-keeper.ts";
import { settle } from "../../../src/platform/time/settle.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";

/** A keeper whose reads take as long as told; a snapshot says when it was begun. */
function newKeeper(given: { readonly readMs?: number } = {}) {
  const clock = new VirtualClock();
  const { readMs = 0 } = given;
  let reads = 0;
  const read = async () => {
    reads++;
    const atMs = clock.monotonicMs();
    await new Promise<void>((resolve) => void clock.setTimer(readMs, resolve));
    return { atMs } as ClusterSnapshot;
  };
  const keeper = new SnapshotKeeper({ read }, clock);
  const get = async (advanceMs = readMs) => {
    const found = keeper.get();
    await clock.advance(advanceMs);
    return await found;
  };
  return { clock, keeper, get, reads: () => reads };
}

const { signal } = new AbortController();

describe("what is kept of a cluster", () => {
  it("is not read again within two seconds, and is after them", async () => {
    const { clock, get, reads } = newKeeper();
    await get();
    await clock.advance(1_999);
    expect(await get()).toMatchObject({ atMs: 0 });
    expect(reads()).toBe(1);
    await clock.advance(1);
    await get();
    expect(reads()).toBe(2);
  });

  it("is never good for longer than twelve seconds, however long it took to read", async () => {
    const { clock, get, reads } = newKeeper({ readMs: 10_000 });
    await get();
    await clock.advance(11_999);
    await get(0);
    expect(reads()).toBe(1);
    await clock.advance(1);
    await get(0);
    expect(reads()).toBe(2);
  });

  it("is good for twenty times as long as it took, so that reading stays a small part", async () => {
    const { clock, get, reads } = newKeeper({ readMs: 300 });
    await get();
    await clock.advance(5_999);
    await get(0);
    expect(reads()).toBe(1);
  });
});

describe("what is read after something has changed", () => {
  it("was begun after it, though what is kept is still good", async () => {
    const { clock, keeper, get } = newKeeper({ readMs: 100 });
    await get();
    await clock.advance(500);
    const changedMs = clock.monotonicMs();
    const after = keeper.getSince(changedMs, signal);
    await clock.advance(5_000);
    expect((await after).atMs).toBeGreaterThan(changedMs);
  });

  it("is not the look that was under way when it happened", async () => {
    const { clock, keeper, get } = newKeeper({ readMs: 1_000 });
    void get(0);
    await clock.advance(500);
    const after = keeper.getSince(clock.monotonicMs(), signal);
    await clock.advance(60_000);
    expect((await after).atMs).toBeGreaterThan(500);
  });

  it("is what is kept when that was begun later, without another read", async () => {
    const { clock, keeper, get, reads } = newKeeper();
    await clock.advance(1_000);
    await get();
    expect(await keeper.getSince(999, signal)).toMatchObject({ atMs: 1_000 });
    expect(reads()).toBe(1);
  });

  it("is waited for no longer than somebody wants it", async () => {
    const { clock, keeper, get } = newKeeper();
    await get();
    const stop = new AbortController();
    const after = keeper.getSince(clock.monotonicMs(), stop.signal).catch(() => "given up");
    stop.abort();
    await settle();
    expect(await after).toBe("given up");
  });
});
