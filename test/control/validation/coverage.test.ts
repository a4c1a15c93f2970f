import { describe, expect, it } from "vitest";
import type { NodeRow } from "../../../src/control/api/nodes.ts";
import { overviewSchema } from "../../../src/control/api/overview.ts";
import { coverageOfRows } from "../../../src/control/validation/cluster-summary.ts";
import { fleetYaml, planeOf, readUntil } from "../fleet/support.ts";

function row(name: string, use: NodeRow["use"], isCovered = false): NodeRow {
  return {
    cluster: "prod",
    name,
    sku: "h100",
    rack: "r1",
    standing: isCovered ? "pass" : "untested",
    reason: "",
    use,
    useReason: "",
    closedBy: null,
    isCovered,
    checks: [],
  };
}

describe("what stands in the way of coverage", () => {
  it("is each node's own: one under test or not seen is not free", () => {
    const rows = [
      row("a", "free"),
      row("b", "busy"),
      row("c", "untestable"),
      row("d", "under-test"),
      row("e", "under-test"),
      row("f", "unseen"),
    ];
    expect(coverageOfRows(rows)).toEqual({
      covered: 0,
      overdueFree: 1,
      overdueBusy: 1,
      overdueUntestable: 1,
      overdueUnderTest: 2,
      overdueUnseen: 1,
      share: 0,
    });
  });

  it("is nothing for nodes that are covered, whatever they do now", () => {
    const uses = ["free", "busy", "untestable", "under-test", "unseen"] as const;
    expect(coverageOfRows(uses.map((use) => row(use, use, true)))).toEqual({
      covered: 5,
      overdueFree: 0,
      overdueBusy: 0,
      overdueUntestable: 0,
      overdueUnderTest: 0,
      overdueUnseen: 0,
      share: 1,
    });
  });

  it("is told by the overview and the metrics as it is, while first runs are under way", async () => {
    // In real time: its runs last minutes, and are still open when it is looked at.
    await using test = await planeOf(fleetYaml({ speed: 1 }));
    const { clusters } = await readUntil(test, "overview", {
      schema: overviewSchema,
      until: (found) => (found.clusters[0]?.nodes.byUse["under-test"] ?? 0) > 0,
    });
    const [cluster] = clusters;
    expect(cluster?.coverage).toMatchObject({
      covered: 0,
      overdueFree: cluster?.nodes.byUse.free,
      overdueUnderTest: cluster?.nodes.byUse["under-test"],
      overdueUnseen: 0,
    });
    const { text } = await test.call("GET", "/metrics");
    const told = (state: string) =>
      new RegExp(`^tessera_validation_overdue_nodes\\{[^}]*state="${state}"\\} (\\d+)$`, "m");
    expect(Number(told("under-test").exec(text)?.[1])).toBeGreaterThan(0);
    expect(told("unseen").exec(text)?.[1]).toBe("0");
  });
});
