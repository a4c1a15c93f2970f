import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../../../src/chaos/sim/engine/index.ts";
import {
  createStorage,
  type Storage,
  type StorageProfile,
} from "../../../../src/chaos/sim/storage/index.ts";

const profile: StorageProfile = {
  writeUs: 1000,
  readUs: 500,
  commitUs: 100,
  jitter: 0,
  capacityBytes: 10_000,
};

function start(changes: Partial<StorageProfile> = {}) {
  const engine = createEngine({ seed: "1" });
  return { engine, storage: createStorage({ engine, profile: { ...profile, ...changes } }) };
}

function write(storage: Storage, tag: string, shard: number, state: number) {
  const begun = storage.startWrite({ tag, shard, state, bytes: 100, slot: shard });
  return storage.finishWrite(begun.write);
}

function save(storage: Storage, step: number, { shards = 3, state = step } = {}): boolean {
  const tag = `step-${step}`;
  storage.open(tag, step, shards);
  for (let shard = 0; shard < shards; shard++) write(storage, tag, shard, state);
  storage.startCommit(tag, 0);
  return storage.finishCommit(tag);
}

describe("a save", () => {
  it("is seen once it is committed, the newest first, and is whole", () => {
    const { storage } = start();
    save(storage, 10);
    save(storage, 30);
    save(storage, 20);
    expect(storage.list().map(({ tag }) => tag)).toEqual(["step-30", "step-20", "step-10"]);
    expect(storage.truthOf("step-20")).toEqual({
      tag: "step-20",
      step: 20,
      isCommitted: true,
      isWhole: true,
      state: 20,
      damaged: [],
    });
    expect(storage.refusalOf("step-20")).toBeUndefined();
    expect(storage.verify("step-20", 2)).toBe("whole");
  });

  it("takes its time, longer when the store is slow, and as long as before afterwards", () => {
    const { storage } = start();
    storage.open("a", 1, 1);
    const durations = () => [
      storage.startWrite({ tag: "a", shard: 0, state: 1, bytes: 1, slot: 0 }).durationUs,
      storage.readUs(0),
      storage.startCommit("a", 0).durationUs,
    ];
    expect(durations()).toEqual([1000, 500, 100]);
    const [one, other] = [
      storage.apply({ kind: "slow", factor: 3 }),
      storage.apply({ kind: "slow", factor: 2 }),
    ];
    expect(durations()).toEqual([6000, 3000, 600]);
    storage.undo(one);
    storage.undo(other);
    expect(durations()).toEqual([1000, 500, 100]);
  });

  it("varies by chance within its bounds, and the same again with the same seed", () => {
    const times = () => {
      const { storage } = start({ jitter: 0.5 });
      return Array.from({ length: 50 }, (_, slot) => storage.readUs(slot));
    };
    expect(times()).toEqual(times());
    expect(new Set(times()).size).toBeGreaterThan(20);
    expect(times().every((us) => us >= 500 && us <= 750)).toBe(true);
  });

  it("that replaces one of the same tag leaves the old one in place until it is committed", () => {
    const { storage } = start();
    save(storage, 10, { state: 1 });
    storage.open("step-10", 10, 3);
    write(storage, "step-10", 0, 2);
    expect(storage.truthOf("step-10")).toMatchObject({ isCommitted: true, state: 1 });
    save(storage, 10, { state: 2 });
    expect(storage.truthOf("step-10")).toMatchObject({ isWhole: true, state: 2 });
    expect(storage.list()).toHaveLength(1);
  });

  it("is not committed with a shard missing, half written, or by a dead committer", () => {
    const { storage } = start();
    storage.open("a", 1, 2);
    write(storage, "a", 0, 5);
    storage.startCommit("a", 0);
    expect(storage.finishCommit("a")).toBe(false);
    const { write: half } = storage.startWrite({
      tag: "a",
      shard: 1,
      state: 5,
      bytes: 100,
      slot: 1,
    });
    storage.abandonWrite(half);
    expect(storage.finishCommit("a")).toBe(false);
    expect(storage.truthOf("a")).toMatchObject({ isCommitted: false, damaged: [1] });
    write(storage, "a", 1, 5);
    storage.abandonWritesOf(0);
    expect(storage.finishCommit("a")).toBe(false);
    storage.startCommit("a", 1);
    expect(storage.finishCommit("a")).toBe(true);
    expect(storage.finishCommit("a")).toBe(false);
  });

  it("of which somebody writes late into a folder that was opened again is not touched", () => {
    const { storage } = start();
    storage.open("a", 1, 1);
    const late = storage.startWrite({ tag: "a", shard: 0, state: 1, bytes: 100, slot: 0 });
    storage.open("a", 1, 1);
    write(storage, "a", 0, 2);
    expect(storage.finishWrite(late.write)).toBe("gone");
    storage.startCommit("a", 0);
    storage.finishCommit("a");
    expect(storage.truthOf("a")).toMatchObject({ isWhole: true, state: 2 });
  });

  it("with a shard of another step is stale, and one of several states is of none", () => {
    const { storage } = start();
    storage.open("a", 7, 2);
    write(storage, "a", 0, 1);
    const old = storage.startWrite({ tag: "a", shard: 1, state: 2, bytes: 1, slot: 1, step: 6 });
    storage.finishWrite(old.write);
    storage.startCommit("a", 0);
    expect(storage.finishCommit("a")).toBe(true);
    expect(storage.refusalOf("a")).toEqual({ shard: 1, verdict: "stale" });
    expect(storage.truthOf("a")).toMatchObject({ isWhole: false, state: null });
  });

  it("that is unknown or taken away is missing", () => {
    const { storage } = start();
    save(storage, 10);
    storage.remove("step-10");
    storage.remove("step-11");
    expect(storage.list()).toEqual([]);
    expect(storage.refusalOf("step-10")).toMatchObject({ verdict: "missing" });
    expect(storage.truthOf("step-10")).toBeUndefined();
    expect(storage.contentOf("step-10")).toEqual([]);
    expect(storage.freeBytes).toBe(10_000);
  });
});

describe("a crash between any two operations", () => {
  it("leaves either a committed checkpoint that is whole, or none, and old ones as they were", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(3), (operations, dead) => {
        const { storage } = start();
        save(storage, 1);
        let left = operations;
        const goesOn = () => left-- > 0;
        const tag = "step-2";
        const run = () => {
          storage.open(tag, 2, 4);
          const writes = Array.from({ length: 4 }, (_, shard) => shard).flatMap((shard) =>
            goesOn()
              ? [storage.startWrite({ tag, shard, state: 2, bytes: 100, slot: shard }).write]
              : [],
          );
          for (const one of writes) {
            if (!goesOn()) return;
            storage.finishWrite(one);
          }
          if (!goesOn()) return;
          storage.startCommit(tag, dead);
          if (!goesOn()) return;
          storage.finishCommit(tag);
        };
        run();
        for (let slot = 0; slot < 4; slot++) storage.abandonWritesOf(slot);
        const isThere = storage.list().some((one) => one.tag === tag);
        expect(isThere).toBe(operations >= 10);
        if (isThere) expect(storage.truthOf(tag)).toMatchObject({ isWhole: true, state: 2 });
        else expect(storage.finishCommit(tag)).toBe(false);
        expect(storage.truthOf("step-1")).toMatchObject({ isWhole: true, isCommitted: true });
      }),
    );
  });
});

describe("faults", () => {
  it("tear as many writes as they say, without a word, of the shards they mean", () => {
    const { storage } = start();
    storage.apply({ kind: "tear", shards: [1], count: 1 });
    expect(save(storage, 10)).toBe(true);
    expect(storage.truthOf("step-10")).toMatchObject({ isWhole: false, damaged: [1] });
    expect(storage.refusalOf("step-10")).toEqual({ shard: 1, verdict: "torn" });
    expect(storage.contentOf("step-10").map(({ verdict }) => verdict)).toEqual([
      "whole",
      "torn",
      "whole",
    ]);
    save(storage, 20);
    expect(storage.truthOf("step-20")).toMatchObject({ isWhole: true });
  });

  it("fill the store, so that a writer hears of it and half a shard stays", () => {
    const { storage } = start();
    const full = storage.apply({ kind: "full" });
    expect(storage.freeBytes).toBe(0);
    storage.open("a", 1, 1);
    expect(write(storage, "a", 0, 1)).toBe("full");
    storage.startCommit("a", 0);
    expect(storage.finishCommit("a")).toBe(false);
    storage.undo(full);
    expect(write(storage, "a", 0, 1)).toBe("written");
    expect(storage.finishCommit("a")).toBe(true);
  });

  it("fill it in part, and a store fills up by itself too", () => {
    const { storage } = start({ capacityBytes: 700 });
    storage.apply({ kind: "full", bytes: 150 });
    expect(save(storage, 1)).toBe(true);
    expect(storage.freeBytes).toBe(250);
    expect(save(storage, 2)).toBe(false);
    storage.remove("step-1");
    expect(save(storage, 3)).toBe(true);
  });

  it("put wrong bits into a shard of the newest checkpoint, and right ones back", () => {
    const { storage } = start();
    save(storage, 10);
    save(storage, 20);
    const corrupt = storage.apply({ kind: "corrupt", shard: 2 });
    expect(storage.refusalOf("step-20")).toEqual({ shard: 2, verdict: "corrupt" });
    expect(storage.refusalOf("step-10")).toBeUndefined();
    expect(storage.undo(corrupt)).toBe(true);
    expect(storage.undo(corrupt)).toBe(false);
    expect(storage.refusalOf("step-20")).toBeUndefined();
    storage.apply({ kind: "corrupt", shard: 0, tag: "step-10" });
    expect(storage.truthOf("step-10")).toMatchObject({ isWhole: false, damaged: [0] });
  });

  it("do nothing where nothing lies, and are no fault of what comes later", () => {
    const { storage } = start();
    const nothing = storage.apply({ kind: "corrupt", shard: 0 });
    save(storage, 10);
    expect(storage.truthOf("step-10")).toMatchObject({ isWhole: true });
    expect(storage.undo(nothing)).toBe(true);
  });

  it("are seen by a look at the store until they are undone", () => {
    const { storage } = start();
    save(storage, 10);
    const handles = [
      storage.apply({ kind: "slow", factor: 4 }),
      storage.apply({ kind: "full", bytes: 5 }),
      storage.apply({ kind: "full" }),
      storage.apply({ kind: "tear", shards: "any", count: 2 }),
      storage.apply({ kind: "corrupt", shard: 1 }),
    ];
    expect(storage.lookForFaults()).toEqual([
      "storage is 4 times slower",
      "5 bytes of storage are taken",
      "storage is full",
      "the next 2 writes of storage would be torn",
      "shard 1 of step-10 has wrong bits",
    ]);
    for (const handle of handles) storage.undo(handle);
    expect(storage.lookForFaults()).toEqual([]);
  });
});

describe("leftovers", () => {
  it("of saves that came to nothing do not pile up", () => {
    const { storage } = start({ capacityBytes: 1e9 });
    for (let step = 0; step < 5000; step++) {
      storage.open(`step-${step}`, step, 1);
      write(storage, `step-${step}`, 0, 1);
    }
    expect(storage.freeBytes).toBe(1e9 - 64 * 100);
  });

  it("are only of saves that were opened: nothing else can be written to", () => {
    const { storage } = start();
    storage.open("a", 1, 1);
    expect(() => storage.startWrite({ tag: "b", shard: 0, state: 1, bytes: 1, slot: 0 })).toThrow(
      "open save",
    );
    expect(() => storage.startWrite({ tag: "a", shard: 1, state: 1, bytes: 1, slot: 0 })).toThrow(
      "shard of the save",
    );
  });
});
