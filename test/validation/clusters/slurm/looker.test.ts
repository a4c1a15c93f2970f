import { describe, expect, it } from "vitest";
import { sleep, VirtualClock } from "../../../../src/platform/time/index.ts";
import { Looker } from "../../../../src/validation/clusters/slurm/looker.ts";

const minuteMs = 60_000;

/** Looks every 10 s at a controller that takes so long to answer, or does not. */
function start() {
  const clock = new VirtualClock({ epochMs: 1_000_000 });
  const state = { takesMs: 0, isAway: false, begun: [] as number[] };
  const looker = new Looker({
    clock,
    everyMs: 10_000,
    look: async () => {
      state.begun.push(clock.monotonicMs());
      await sleep(clock, state.takesMs);
      if (state.isAway) throw new Error("away");
    },
    onSeen: () => {},
    onFailure: () => {},
  });
  return { clock, looker, state };
}

/** The longest time from the beginning of one look to that of the next. */
function gapMax(begun: readonly number[]): number {
  return Math.max(...begun.slice(1).map((at, index) => at - (begun[index] ?? 0)));
}

describe("looking at a controller", () => {
  it.each([30_000, 120_000])(
    "that takes %d ms leaves it alone for a minute at most",
    async (takesMs) => {
      const { clock, looker, state } = start();
      state.takesMs = takesMs;
      looker.start();
      await clock.advance(20 * minuteMs);
      expect(gapMax(state.begun)).toBe(takesMs + minuteMs);
      expect(looker.trust().state).toBe("current");
    },
  );

  it("that took long to answer and then is away is not trusted for many minutes", async () => {
    const { clock, looker, state } = start();
    state.takesMs = minuteMs;
    looker.start();
    await clock.advance(minuteMs);
    Object.assign(state, { isAway: true, takesMs: 0 });
    await clock.advance(2 * minuteMs + 10_000);
    expect(looker.trust().state).toBe("current");
    await clock.advance(10_000);
    expect(looker.trust()).toMatchObject({ state: "stale", sinceMs: 1_000_000 });
    state.begun.length = 0;
    await clock.advance(20 * minuteMs);
    expect(gapMax(state.begun)).toBe(minuteMs);
  });

  it("happens soon after somebody asked for it, also while others keep asking", async () => {
    const { clock, looker, state } = start();
    looker.start();
    await clock.advance(1_000);
    for (let wish = 0; wish < 100; wish++) {
      looker.ask();
      await clock.advance(100);
    }
    // Each look is soon after the first wish since the one before.
    expect(state.begun.length).toBeGreaterThan(10);
    expect(gapMax(state.begun)).toBeLessThanOrEqual(1_500);
  });

  it("that answers slowly is left alone for as long as it took, however often somebody asks", async () => {
    const { clock, looker, state } = start();
    state.takesMs = 4_000;
    looker.start();
    await clock.advance(4_000);
    for (let wish = 0; wish < 1_000; wish++) {
      looker.ask();
      await clock.advance(100);
    }
    const [, ...gaps] = state.begun.map((at, index) => at - (state.begun[index - 1] ?? 0));
    expect(Math.min(...gaps)).toBe(8_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(8_100);
  });

  it("that answers slowly is left alone for so long before the look that is asked for after that", async () => {
    const { clock, looker, state } = start();
    state.takesMs = 4_000;
    looker.start();
    await clock.advance(5_000);
    looker.ask();
    await clock.advance(3_999);
    expect(state.begun).toHaveLength(1);
    await clock.advance(1);
    expect(state.begun).toHaveLength(2);
  });

  it("that answers at once is asked as often as is wanted", async () => {
    const { clock, looker, state } = start();
    looker.start();
    await clock.advance(10 * minuteMs);
    expect(gapMax(state.begun)).toBe(10_000);
    expect(looker.trust().state).toBe("current");
  });
});
