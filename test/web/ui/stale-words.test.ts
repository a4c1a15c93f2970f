import { describe, expect, it } from "vitest";
import { noAnswer } from "../../../web/src/api/problem.ts";
import { staleWords } from "../../../web/src/ui/stale-words.ts";

const nowMs = Date.parse("2026-03-01T12:00:00Z");
const now = { nowMs, isLost: false };
const hourMs = 3_600_000;
const earlier = { problem: undefined, isEarlier: true };

describe("what is said above data that are not of now", () => {
  it("names the age of what an earlier visit has left, until the first answer of this one", () => {
    const words = staleWords({ ...earlier, atMs: nowMs - 2 * hourMs }, "the queue", now);
    expect(words).toMatch(
      /^This is how the queue stood at \d\d:\d\d, 2 h ago\. Nothing newer has come yet\.$/,
    );
  });

  it("says nothing of what is young, nor of what this visit has asked for", () => {
    expect(staleWords({ ...earlier, atMs: nowMs - 50_000 }, "the queue", now)).toBeUndefined();
    const asked = { problem: undefined, isEarlier: false, atMs: nowMs - 2 * hourMs };
    expect(staleWords(asked, "the queue", now)).toBeUndefined();
  });

  it("says why nothing newer came, with the time of what is shown", () => {
    const failed = { problem: noAnswer(), isEarlier: false, atMs: nowMs - 20_000 };
    expect(staleWords(failed, "the queue", now)).toMatch(
      /^Tessera did not answer\. This is how the queue stood at \d\d:\d\d\.$/,
    );
  });

  it("leaves a lost line to the page as a whole, except for what is older than the loss", () => {
    const lost = { nowMs, isLost: true };
    const failed = { problem: noAnswer(), isEarlier: false, atMs: nowMs - 20_000 };
    expect(staleWords(failed, "the queue", lost)).toBeUndefined();
    const kept = { problem: noAnswer(), isEarlier: true, atMs: nowMs - hourMs };
    expect(staleWords(kept, "the queue", lost)).toMatch(/, 1 h ago\. Nothing newer has come yet\./);
  });

  it("names the day of what is older than half a day, and never passes an unknown age for now", () => {
    const old = staleWords({ ...earlier, atMs: nowMs - 50 * hourMs }, "the queue", now);
    expect(old).toMatch(/27 Feb 2026.*, 2 d ago\./);
    expect(staleWords({ ...earlier, atMs: undefined }, "the queue", now)).toMatch(/stood at –\./);
  });
});
