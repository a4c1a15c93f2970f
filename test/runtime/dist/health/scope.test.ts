import { describe, expect, it } from "vitest";
import { breakDuring, breakNow, currentHealth } from "../../../../src/runtime/dist/health/index.ts";

const dead = (device: number) => ({ kind: "dead", device }) as const;
const deadNow = () => [...currentHealth().deadDevices].map(Number).toSorted((a, b) => a - b);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("breakNow", () => {
  it("is in force until it is disposed of", () => {
    expect(currentHealth().empty).toBe(true);
    {
      using _ = breakNow(dead(5));
      expect(currentHealth().isDead(5)).toBe(true);
      expect(currentHealth().isDead(4)).toBe(false);
    }
    expect(currentHealth().empty).toBe(true);
  });

  it("tells device 5 from the device called 5", () => {
    using _ = breakNow({ kind: "dead", device: "5" });
    expect(currentHealth().isDead("5")).toBe(true);
    expect(currentHealth().isDead(5)).toBe(false);
  });

  it("ends in any order, and twice is once", () => {
    const first = breakNow(dead(1));
    const second = breakNow(dead(2));
    const third = breakNow(dead(3));
    first[Symbol.dispose]();
    expect(deadNow()).toEqual([2, 3]);
    third[Symbol.dispose]();
    third[Symbol.dispose]();
    expect(deadNow()).toEqual([2]);
    second[Symbol.dispose]();
    expect(currentHealth().empty).toBe(true);
  });

  it("is undone when the scope is left by an error", () => {
    expect(() => {
      using _ = breakNow(dead(1));
      throw new Error("on the way");
    }).toThrow("on the way");
    expect(currentHealth().empty).toBe(true);
  });

  it("is seen by what it started, and so is its end", async () => {
    const scope = breakNow(dead(1));
    const seen: number[][] = [];
    const stray = (async () => {
      await turn();
      seen.push(deadNow());
      await turn();
      await turn();
      seen.push(deadNow());
    })();
    await turn();
    await turn();
    scope[Symbol.dispose]();
    await stray;
    expect(seen).toEqual([[1], []]);
  });

  it("refuses what is no breakage", () => {
    expect(() => breakNow({ kind: "slow", factor: 0.5 })).toThrow("from 1");
    expect(() => breakNow({ kind: "cut" })).toThrow("sides or links");
    expect(() => breakNow({ kind: "cut", sides: [{ range: [4, 2] }] })).toThrow("goes up");
    expect(() => breakNow({ kind: "corrupt", device: 0, element: -1, bit: 0 })).toThrow("index");
    expect(currentHealth().empty).toBe(true);
  });
});

describe("breakDuring", () => {
  it("breaks several things while the function runs, and nothing after", () => {
    const seen = breakDuring([dead(1), dead(2)], deadNow);
    expect(seen).toEqual([1, 2]);
    expect(currentHealth().empty).toBe(true);
  });

  it("adds to what is broken outside, and leaves that as it was", () => {
    using _ = breakNow(dead(1));
    expect(breakDuring(dead(2), deadNow)).toEqual([1, 2]);
    expect(deadNow()).toEqual([1]);
  });

  it("lasts until a promise settles, also when it rejects", async () => {
    const task = breakDuring(dead(1), async () => {
      await turn();
      expect(deadNow()).toEqual([1]);
      throw new Error("late");
    });
    expect(currentHealth().empty).toBe(true);
    await expect(task).rejects.toThrow("late");
  });

  it("ends for strays when the function is over", async () => {
    let stray: Promise<number[]> | undefined;
    breakDuring(dead(1), () => {
      stray = turn().then(deadNow);
    });
    expect(await stray).toEqual([]);
  });

  it("keeps tasks that run at the same time apart", async () => {
    const task = (device: number) =>
      breakDuring(dead(device), async () => {
        const seen = [deadNow()];
        for (let step = 0; step < 3; step++) {
          await turn();
          seen.push(deadNow());
        }
        return seen;
      });
    const all = await Promise.all([task(1), task(2), task(3)]);
    for (const [at, seen] of all.entries()) {
      expect(seen).toEqual([[at + 1], [at + 1], [at + 1], [at + 1]]);
    }
    expect(currentHealth().empty).toBe(true);
  });

  it("keeps scopes inside different tasks apart", async () => {
    const task = async (device: number) => {
      await turn();
      using _ = breakNow(dead(device));
      await turn();
      return deadNow();
    };
    expect(await Promise.all([task(1), task(2)])).toEqual([[1], [2]]);
    expect(currentHealth().empty).toBe(true);
  });
});
