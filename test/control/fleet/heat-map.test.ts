import { describe, expect, it } from "vitest";
import type { NodeRow } from "../../../src/control/api/nodes.ts";
import { heatMapOf } from "../../../src/control/fleet/heat-map.ts";

const checks = ["dl-unit", "nccl-loopback"];

function row(standing: NodeRow["standing"], stale: readonly boolean[]): NodeRow {
  return {
    cluster: "made-up",
    name: `${standing} ${stale.join(" ")}`,
    sku: "h100",
    rack: "r1",
    standing,
    reason: "",
    use: "free",
    useReason: "",
    closedBy: null,
    isCovered: stale.every((one) => !one),
    checks: stale.map((isStale, at) => ({
      check: checks[at] ?? "",
      standing,
      ageDays: isStale ? null : 1,
      isStale,
    })),
  };
}

function standings(...rows: readonly NodeRow[]): string {
  return heatMapOf({ name: "made-up", atMs: 0, checks, rows }, "simulated").standings;
}

describe("the standings of a heat map", () => {
  it("mark a pass as doubtful when a single check of it is old or missing", () => {
    expect(standings(row("pass", [false, true]), row("pass", [true, true]))).toBe("PP");
  });

  it("leave a pass that every check backs as it is", () => {
    expect(standings(row("pass", [false, false]))).toBe("p");
  });

  it("mark a failure only when nothing of it is fresh: one check is enough to know it", () => {
    expect(standings(row("fail", [false, true]), row("fail", [true, true]))).toBe("fF");
  });
});
