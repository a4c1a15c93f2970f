import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JobQueue } from "../../../src/control/experiments/job-queue.ts";
import { settle } from "../../../src/platform/time/index.ts";

interface Tried {
  readonly queue: JobQueue;
  readonly log: string[];
  end(id: string): void;
  add(id: string): boolean;
}

/** Jobs that run until they are told to end. */
function tried(concurrent: number, waiting: number): Tried {
  const queue = new JobQueue({ concurrent, waiting });
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    queue,
    log,
    end: (id) => ends.get(id)?.(),
    add: (id) => {
      try {
        queue.claim().begin({
          id,
          run: (signal) =>
            new Promise((resolve) => {
              log.push(`${id} runs`);
              ends.set(id, resolve);
              signal.addEventListener("abort", () => resolve());
            }),
          drop: async (reason) => void log.push(`${id} dropped: ${reason}`),
        });
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: "E_EXPERIMENTS_FULL" });
        return false;
      }
    },
  };
}

describe("a queue of jobs", () => {
  test("runs a few at a time, the others in order", async () => {
    const { queue, log, add, end } = tried(1, 2);
    expect(["a", "b", "c", "d"].map(add)).toEqual([true, true, true, false]);
    expect(log).toEqual(["a runs"]);
    end("a");
    await settle();
    expect(log).toEqual(["a runs", "b runs"]);
    expect(queue.stop("c", "why not")).toBe(true);
    expect(queue.stop("c", "why not")).toBe(false);
    expect(log.at(-1)).toBe("c dropped: why not");
    await queue.close("the end");
    expect([queue.runningCount, add("e")]).toEqual([0, false]);
  });

  test("gives a place back that was not used", () => {
    const { queue, add } = tried(1, 0);
    const place = queue.claim();
    expect(add("a")).toBe(false);
    place.release();
    place.release();
    expect([add("a"), add("b")]).toEqual([true, false]);
  });

  test("never has more than its limits, whatever comes and goes", async () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 9 })), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.nat({ max: 3 }),
        steps,
        async (concurrent, waiting, all) => {
          const { queue, add, end } = tried(concurrent, waiting);
          for (const [isNew, id] of all) {
            if (isNew) add(String(id));
            else end(String(id));
            await settle();
            expect(queue.runningCount).toBeLessThanOrEqual(concurrent);
            expect(queue.runningCount + queue.waitingCount).toBeLessThanOrEqual(
              concurrent + waiting,
            );
          }
          await queue.close("the end");
          expect(queue.runningCount).toBe(0);
        },
      ),
    );
  });
});
