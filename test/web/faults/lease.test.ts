import { describe, expect, it } from "vitest";
import { clockText, leaseOf, leaseText } from "../../../web/src/pages/faults/lease.ts";

const endMs = Date.parse("2026-03-01T12:01:00Z");
const live = {
  isLive: true,
  leaseUntil: "2026-03-01T12:01:00Z",
  expiresAt: "2026-03-01T12:05:00Z",
};
const startMs = endMs - 60_000;

/** Looked at so long after the lease's end, in an answer that is so old. */
function seen(afterEndMs: number, ageMs = 0, isLost = false) {
  const nowMs = endMs + afterEndMs;
  return { nowMs, knownAtMs: nowMs - ageMs, isLost };
}

describe("the lease of a fault", () => {
  it("counts down to whatever ends first", () => {
    const atStart = { nowMs: startMs, knownAtMs: startMs, isLost: false };
    expect(leaseText(leaseOf(live, atStart), startMs)).toBe("undone in 1:00 unless renewed");
    const unleased = leaseOf({ ...live, leaseUntil: null }, atStart);
    expect(leaseText(unleased, startMs)).toBe("undone in 5:00");
  });

  it("is overdue when an answer from after its end still has the fault in force", () => {
    const view = seen(30_000);
    expect(leaseOf(live, view)).toEqual({ kind: "over", by: "lease" });
    expect(leaseText(leaseOf(live, view), view.nowMs)).toContain("overdue");
  });

  it("is not overdue by an answer from before its end: it may have been renewed since", () => {
    const view = seen(15_000, 20_000);
    const lease = leaseOf(live, view);
    expect(lease).toMatchObject({ kind: "unknown", endMs, knownAtMs: endMs - 5_000 });
    expect(leaseText(lease, view.nowMs)).toMatch(
      /^its lease ended at \d\d:\d\d:00; not known since \d\d:\d\d:55 whether it was renewed/,
    );
  });

  it("claims nothing with the line lost or the answer old, whatever was seen then", () => {
    expect(leaseOf(live, seen(60_000, 20_000, true)).kind).toBe("unknown");
    expect(leaseOf(live, seen(7_200_000, 3_600_000)).kind).toBe("unknown");
    expect(leaseOf(live, seen(60_000, 20_000)).kind).toBe("over");
  });

  it("leaves room for the last look before the end and for clocks that differ by seconds", () => {
    expect(leaseOf(live, seen(3_000)).kind).toBe("unknown");
  });

  it("says the day too where the end was on another one", () => {
    const view = seen(3 * 86_400_000, 86_400_000);
    expect(leaseText(leaseOf(live, view), view.nowMs)).toMatch(/Mar 2026.*not known since.*Mar/);
  });

  it("is none for a fault that has ended", () => {
    expect(leaseOf({ ...live, isLive: false }, seen(0))).toEqual({ kind: "none" });
  });

  it("reads as a clock", () => {
    expect([0, 5_000, 65_000, 3_729_000].map(clockText)).toEqual([
      "0:00",
      "0:05",
      "1:05",
      "1:02:09",
    ]);
  });
});
