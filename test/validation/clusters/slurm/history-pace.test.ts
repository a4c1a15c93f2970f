import { describe, expect, it } from "vitest";
import { HistoryPace } from "../../../../src/validation/clusters/slurm/signs/history-pace.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const nowMs = Date.parse("2026-01-08T20:10:00Z");

/** Asks again and again, each time as soon as it is due; the questions and the pauses before them. */
function ask(times: number, { tookMs, isRefused }: { tookMs: number; isRefused: boolean }) {
  const pace = new HistoryPace();
  let atMs = 0;
  return Array.from({ length: times }, () => {
    let pausedMs = 0;
    for (; !pace.isDue(atMs); atMs += 1000) pausedMs += 1000;
    const askedMs = nowMs + atMs;
    const windowMs = askedMs - pace.sinceMs(askedMs);
    pace.begin(atMs);
    atMs += tookMs;
    if (isRefused) pace.failed(atMs);
    else pace.succeeded(askedMs, atMs);
    return { pausedMs, windowMs };
  });
}

describe("the question for ended jobs", () => {
  it("goes back a day at first, and then to a little before the last one, each minute", () => {
    const asked = ask(3, { tookMs: 1000, isRefused: false });
    expect(asked).toEqual([
      { pausedMs: 0, windowMs: dayMs },
      { pausedMs: 59_000, windowMs: 6 * minuteMs },
      { pausedMs: 59_000, windowMs: 6 * minuteMs },
    ]);
  });

  it("comes seldom where the answer takes long", () => {
    const [, second] = ask(2, { tookMs: 25_000, isRefused: false });
    expect(second).toEqual({ pausedMs: 250_000, windowMs: 275_000 + 5 * minuteMs });
  });

  it("asks for less and less, later and later, where there is no answer in time", () => {
    const asked = ask(8, { tookMs: 30_000, isRefused: true });
    expect(asked.map(({ windowMs }) => windowMs / minuteMs)).toEqual([
      ...[1440, 360, 90, 22.5, 15, 15, 15, 15],
    ]);
    const pauses = asked.map(({ pausedMs }) => pausedMs);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.at(-1)).toBe(30 * minuteMs);
  });

  it("comes later, and for no less, where it is refused at once", () => {
    const asked = ask(8, { tookMs: 100, isRefused: true });
    expect(new Set(asked.map(({ windowMs }) => windowMs))).toEqual(new Set([dayMs]));
    expect(asked.at(-1)?.pausedMs).toBe(30 * minuteMs);
  });

  it("is for all that was missed after a refusal, and comes each minute again", () => {
    const pace = new HistoryPace();
    pace.succeeded(nowMs, 0);
    pace.begin(minuteMs);
    pace.failed(minuteMs);
    expect(pace.isDue(2 * minuteMs)).toBe(false);
    expect(pace.isDue(3 * minuteMs)).toBe(true);
    expect(pace.sinceMs(nowMs + 3 * minuteMs)).toBe(nowMs - 5 * minuteMs);
    pace.begin(3 * minuteMs);
    pace.succeeded(nowMs + 3 * minuteMs, 3 * minuteMs);
    expect(pace.isDue(4 * minuteMs)).toBe(true);
  });
});
