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

  it("are grouped, the one that keeps most first", () => {
    const rows = ["rack", "price", "price", "cooldown"].map((rail, at) => ({ rail, at }));
    expect(groupByRail(rows).map(({ rail, rows }) => [rail, rows.length])).toEqual([
      ["price", 2],
      ["cooldown", 1],
      ["rack", 1],
    ]);
    expect(groupByRail([])).toEqual([]);
  });
});
