import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { type RetryOptions, retry, VirtualClock } from "../../../src/platform/time/index.ts";

const half = { float: () => 0.5 };

/** Retries work that always fails and says at which times it was tried and how it ended. */
async function failAlways(options: Partial<RetryOptions> = {}) {
  const clock = new VirtualClock();
  const triedAtMs: number[] = [];
  const work = async (attempt: number) => {
    triedAtMs.push(clock.monotonicMs());
    throw new Error(`attempt ${attempt} failed`);
  };
  const call = retry(work, { clock, rng: half, ...options }).catch((error: unknown) => error);
  await clock.advance(3_600_000);
  return { triedAtMs, error: await call, clock };
}

describe("retry", () => {
  it("returns the first success without waiting", async () => {
    const clock = new VirtualClock();
    await expect(retry(async () => "good", { clock, rng: half })).resolves.toBe("good");
    expect(clock.timersPending).toBe(0);
  });

  it("tries again after a failure", async () => {
    const clock = new VirtualClock();
    const call = retry(
      async (attempt) => {
        if (attempt < 3) throw new Error("not yet");
        return attempt;
      },
      { clock, rng: half },
    );
    await clock.advance(1000);
    await expect(call).resolves.toBe(3);
  });

  it("throws the last failure itself, with the number of attempts on it", async () => {
    const { error, triedAtMs } = await failAlways({ attemptsMax: 3 });
    expect(triedAtMs).toHaveLength(3);
    expect(error).toMatchObject({ message: "attempt 3 failed", attempts: 3 });
  });

  it("throws a failure that cannot carry a note as it is", async () => {
    const clock = new VirtualClock();
    for (const thrown of ["text", Object.freeze(new Error("frozen"))]) {
      const call = retry(() => Promise.reject(thrown), { clock, rng: half, attemptsMax: 1 });
      await expect(call).rejects.toBe(thrown);
    }
  });

  it("doubles the delay up to its maximum without jitter", async () => {
    const { triedAtMs } = await failAlways({
      attemptsMax: 6,
      delayMs: 100,
      delayMsMax: 500,
      jitter: "none",
    });
    expect(triedAtMs).toEqual([0, 100, 300, 700, 1200, 1700]);
  });

  it("waits a random part of each delay with full jitter, never more than the whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.integer({ min: 1, max: 3 }), async (seed, factor) => {
        const rng = createRng(seed).stream("jitter");
        const { triedAtMs } = await failAlways({ rng, factor, delayMs: 50, delayMsMax: 300 });
        const waitsMs = triedAtMs.slice(1).map((atMs, at) => atMs - (triedAtMs[at] ?? 0));
        for (const [at, waitMs] of waitsMs.entries()) {
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(Math.min(300, 50 * factor ** at) + 1e-6);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("gives up at once when the failure is not worth another attempt", async () => {
    const { triedAtMs, error } = await failAlways({ shouldRetry: () => false });
    expect(triedAtMs).toEqual([0]);
    expect(error).toMatchObject({ attempts: 1 });
  });

  it("waits as long as the other side asked, even beyond the usual maximum", async () => {
    const shouldRetry = () => ({ afterMs: 7000 });
    const { triedAtMs } = await failAlways({ attemptsMax: 3, delayMsMax: 10, shouldRetry });
    expect(triedAtMs).toEqual([0, 7000, 14_000]);
  });

  it("does not come back early when the asked delay does not fit before the deadline", async () => {
    const shouldRetry = () => ({ afterMs: 7000 });
    const { triedAtMs } = await failAlways({ deadlineMs: 6999, shouldRetry });
    expect(triedAtMs).toEqual([0]);
  });

  it("starts no attempt after the deadline", async () => {
    const { triedAtMs } = await failAlways({
      attemptsMax: 100,
      delayMs: 100,
      factor: 1,
      jitter: "none",
      deadlineMs: 250,
    });
    expect(triedAtMs).toEqual([0, 100, 200]);
  });

  it("stops waiting with the signal's reason", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const call = retry(() => Promise.reject(new Error("no")), {
      clock,
      rng: half,
      signal: controller.signal,
    });
    const outcome = expect(call).rejects.toThrow("interrupted");
    await clock.advance(1);
    controller.abort(new Error("interrupted"));
    await outcome;
    expect(clock.timersPending).toBe(0);
  });

  it("does not start when the signal has aborted before", async () => {
    let tried = false;
    const work = async () => {
      tried = true;
    };
    const signal = AbortSignal.abort(new Error("before"));
    await expect(retry(work, { clock: new VirtualClock(), rng: half, signal })).rejects.toThrow(
      "before",
    );
    expect(tried).toBe(false);
  });

  it("refuses a number of attempts below one", async () => {
    const options = { clock: new VirtualClock(), rng: half, attemptsMax: 0 };
    await expect(retry(async () => 1, options)).rejects.toThrow("attemptsMax");
  });
});
