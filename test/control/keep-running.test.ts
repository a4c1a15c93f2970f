import { expect, test } from "vitest";
import { keepRunning } from "../../src/control/validation/keep-running.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";

/** Something that breaks after so many milliseconds each time, and ends well when they run out. */
function newWork(livesMs: readonly number[], given: { readonly opensAt?: number } = {}) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const begunMs: number[] = [];
  let isOver = false;
  const run = async (life: number) => {
    begunMs.push(clock.monotonicMs());
    if (life < 0) return true;
    await new Promise<void>((resolve) => void clock.setTimer(life, resolve));
    return false;
  };
  const open = async () =>
    clock.monotonicMs() < (given.opensAt ?? 0) ? undefined : (livesMs[begunMs.length] ?? -1);
  const first = given.opensAt === undefined ? livesMs[0] : undefined;
  void keepRunning({ clock, signal: stop.signal, first, open, run }).then(() => {
    isOver = true;
  });
  return { clock, stop, begunMs, isOver: () => isOver };
}

test("what broke is begun again, each time after twice the wait", async () => {
  const { clock, begunMs } = newWork([0, 0, 0]);
  await clock.advance(60_000);
  expect(begunMs).toEqual([0, 5_000, 15_000, 35_000]);
});

test("what ended in good order is not begun again", async () => {
  const { clock, begunMs, isOver } = newWork([-1]);
  await clock.advance(3_600_000);
  expect([begunMs, isOver()]).toEqual([[0], true]);
});

test("what ran for long is begun again soon", async () => {
  const { clock, begunMs } = newWork([0, 0, 700_000]);
  await clock.advance(800_000);
  expect(begunMs).toEqual([0, 5_000, 15_000, 720_000]);
});

test("what cannot be opened is tried again until it can", async () => {
  const { clock, begunMs } = newWork([-1], { opensAt: 12_000 });
  await clock.advance(60_000);
  expect(begunMs).toEqual([15_000]);
});

test("nothing is begun once it was told to stop", async () => {
  const { clock, stop, begunMs, isOver } = newWork([0, 0]);
  await clock.advance(1_000);
  stop.abort();
  await clock.advance(60_000);
  expect([begunMs, isOver()]).toEqual([[0], true]);
});
