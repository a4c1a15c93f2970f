import { describe, expect, it } from "vitest";
import { inBounds } from "../../../../src/runtime/checkpoint/reshard/in-bounds.ts";

describe("inBounds", () => {
  const bounds = { bytesOf: (bytes: number) => bytes, bytesMax: 100, itemsMax: 4 };

  it("keeps bytes and items under way within the bounds, and runs what is too large alone", async () => {
    let [bytesNow, itemsNow, bytesMost, itemsMost] = [0, 0, 0, 0];
    const done: number[] = [];
    const items = [40, 40, 40, 5, 5, 5, 5, 5, 5, 250, 60, 60];
    await inBounds(
      items,
      async (bytes) => {
        bytesNow += bytes;
        itemsNow++;
        if (bytes > 100) expect(itemsNow).toBe(1);
        else bytesMost = Math.max(bytesMost, bytesNow);
        itemsMost = Math.max(itemsMost, itemsNow);
        await new Promise((resolve) => setImmediate(resolve));
        bytesNow -= bytes;
        itemsNow--;
        done.push(bytes);
      },
      bounds,
    );
    expect(done.toSorted((a, b) => a - b)).toEqual(items.toSorted((a, b) => a - b));
    expect(bytesMost).toBeLessThanOrEqual(100);
    expect(itemsMost).toBe(4);
  });

  it("starts nothing more after a failure, and tells of it once the others are done", async () => {
    const [started, ended]: [number[], number[]] = [[], []];
    const run = inBounds(
      [1, 2, 3, 4, 5, 6, 7, 8],
      async (item) => {
        started.push(item);
        await new Promise((resolve) => setImmediate(resolve));
        ended.push(item);
        if (item === 2) throw new Error("bad");
      },
      bounds,
    );
    await expect(run).rejects.toThrow("bad");
    expect(ended).toEqual(started);
    expect(started.length).toBeLessThan(8);
  });

  it("stops for a signal", async () => {
    const abort = new AbortController();
    const run = inBounds(
      [1, 2, 3],
      async (item) => {
        if (item === 1) abort.abort(new Error("stop"));
      },
      {
        ...bounds,
        itemsMax: 1,
        signal: abort.signal,
      },
    );
    await expect(run).rejects.toThrow("stop");
  });
});
