import { describe, expect, it } from "vitest";
import { standingParts } from "../../../web/src/pages/overview/standing-parts.ts";

const byStanding = { pass: 475, warn: 1, suspect: 2, fail: 3, unknown: 4, untested: 5 };

describe("the nodes of a cluster by standing", () => {
  it("keep passes on old evidence apart, and count each node once", () => {
    const parts = standingParts({ byStanding, passStale: 455 });
    expect(parts.filter(({ tone }) => tone === "pass")).toMatchObject([
      { label: "pass", value: 20 },
      { label: "pass on old or missing evidence", value: 455, hatched: true },
    ]);
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(490);
  });

  it("have nothing apart when every pass is fresh", () => {
    const parts = standingParts({ byStanding, passStale: 0 });
    expect(parts.filter(({ hatched, value }) => hatched === true && value > 0)).toEqual([]);
  });
});
