import { describe, expect, it } from "vitest";
import { rails } from "../../../src/validation/plan/planner.ts";
import { explainRail, groupByRail } from "../../../web/src/pages/queue/rails.ts";

describe("guard rails in words", () => {
  it("explain every rail the planner has", () => {
    for (const rail of rails) {
      expect(explainRail(rail).title).not.toBe(rail);
      expect(explainRail(rail).text).not.toBe("");
    }
  });

  it("call a rail nobody knows by its own name", () => {
    expect(explainRail("new-rail")).toEqual({ title: "new-rail", text: "" });
  });

  it("count all that they keep back, whatever is listed of it", () => {
    const rows = ["rack", "price", "price"].map((rail, at) => ({ rail, at }));
    const counts = [
      { rail: "price", count: 9998 },
      { rail: "cooldown", count: 3 },
      { rail: "rack", count: 1 },
    ];
    const groups = groupByRail(counts, rows);
    expect(groups.map(({ rail, count, rows: listed }) => [rail, count, listed.length])).toEqual([
      ["price", 9998, 2],
      ["cooldown", 3, 0],
      ["rack", 1, 1],
    ]);
    expect(groupByRail([], rows)).toEqual([]);
  });
});
