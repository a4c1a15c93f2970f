import { describe, expect, it } from "vitest";
import { OverflowError, Semaphore } from "../../../src/platform/concurrency/index.ts";

describe("Semaphore", () => {
  it("lets no more in at the same time than it has permits", async () => {
    const semaphore = new Semaphore({ permits: 3 });
    let inside = 0;
    let insideMax = 0;
    const work = async () => {
      inside++;
      insideMax = Math.max(insideMax, inside);
      await Promise.resolve();
      inside--;
    };
    await Promise.all(Array.from({ length: 20 }, () => semaphore.run(work)));
    expect(insideMax).toBe(3);
    expect(semaphore).toMatchObject({ free: 3, waiting: 0 });
  });

  it("serves in order of arrival", async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const served: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map((caller) =>
        semaphore.run(async () => {
          served.push(caller);
        }),
      ),
    );
    expect(served).toEqual([1, 2, 3, 4]);
  });

  it("gives a permit back when the work fails", async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(semaphore.free).toBe(1);
  });

  it("counts a permit given back twice once", async () => {
    const semaphore = new Semaphore({ permits: 2 });
    const release = await semaphore.acquire();
    release();
    release();
    expect(semaphore.free).toBe(2);
  });

  it("turns away whoever comes when too many wait", async () => {
    const semaphore = new Semaphore({ permits: 1, waitersMax: 1 });
    const release = await semaphore.acquire();
    const waiting = semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow(OverflowError);
    release();
    (await waiting)();
    expect(semaphore.free).toBe(1);
  });

  it("forgets a waiter whose signal aborts, and does not hand it a permit", async () => {
    const semaphore = new Semaphore({ permits: 1 });
    const release = await semaphore.acquire();
    const controller = new AbortController();
    const waiting = semaphore.acquire(controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(semaphore.waiting).toBe(0);
    release();
    expect(semaphore.free).toBe(1);
  });

  it("takes no permit for a signal that had aborted before", async () => {
    const semaphore = new Semaphore({ permits: 1 });
    await expect(semaphore.acquire(AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    expect(semaphore.free).toBe(1);
  });

  it("needs at least one permit", () => {
    expect(() => new Semaphore({ permits: 0 })).toThrow("at least 1");
  });
});
