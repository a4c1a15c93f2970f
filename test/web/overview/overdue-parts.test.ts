import { describe, expect, it } from "vitest";
import { overdueParts } from "../../../web/src/pages/overview/overdue-parts.ts";

const none = {
  overdueFree: 0,
  overdueBusy: 0,
  overdueUntestable: 0,
  overdueUnderTest: 0,
  overdueUnseen: 0,
};

describe("nodes without fresh evidence", () => {
  it("are said to wait for their turn only where they are free", () => {
    const seen = { ...none, overdueUnderTest: 1, overdueUnseen: 3 };
    const parts = overdueParts(seen);
    expect(parts).toEqual([
      { count: 1, why: "being tested now" },
      { count: 3, why: "not seen: nobody can tell" },
    ]);
    expect(overdueParts({ ...seen, overdueFree: 2 })[0]).toEqual({
      count: 2,
      why: "free, and waiting for their turn",
    });
  });

  it("are not spoken of where there are none", () => {
    expect(overdueParts(none)).toEqual([]);
  });
});
