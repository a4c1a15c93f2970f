import { expect, test } from "vitest";
import { ChangeNews } from "../../src/control/validation/change-news.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";

/** News whose reads a test ends, with what was told and since when was read. */
function newNews(given: { readonly isWatched?: boolean } = {}) {
  const clock = new VirtualClock();
  const since: number[] = [];
  const ends: (() => void)[] = [];
  let told = 0;
  const news = new ChangeNews({
    clock,
    isWatched: () => given.isWatched ?? true,
    readSince: (sinceMs) => {
      since.push(sinceMs);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    tell: () => {
      told++;
    },
  });
  return { clock, news, since, ends, told: () => told };
}

test("a change is told once it can be read, and not before", async () => {
  const { clock, news, since, ends, told } = newNews();
  await clock.advance(500);
  news.note();
  await clock.advance(60_000);
  expect([since, told()]).toEqual([[500], 0]);
  ends[0]?.();
  await clock.advance(0);
  expect(told()).toBe(1);
});

test("what changes while it is read is told again, and nothing without a change", async () => {
  const { clock, news, since, ends, told } = newNews();
  news.note();
  await clock.advance(3_000);
  await clock.advance(100);
  news.note();
  ends[0]?.();
  await clock.advance(3_000);
  expect(since).toEqual([0, 3_100]);
  ends[1]?.();
  await clock.advance(60_000);
  expect([since.length, told()]).toEqual([2, 2]);
});

test("many changes at once are one piece of news, about the last of them", async () => {
  const { clock, news, since } = newNews();
  news.note();
  await clock.advance(1_000);
  news.note();
  await clock.advance(10_000);
  expect(since).toEqual([1_000]);
});

test("nothing is read while nobody watches", async () => {
  const { clock, news, since, told } = newNews({ isWatched: false });
  news.note();
  await clock.advance(3_000);
  expect([since, told()]).toEqual([[], 1]);
});

test("nothing is told after the end", async () => {
  const { clock, news, ends, told } = newNews();
  news.note();
  await clock.advance(3_000);
  news.stop();
  ends[0]?.();
  await clock.advance(60_000);
  expect(told()).toBe(0);
});
