import { describe, expect, it } from "vitest";
import { changesIn, syncSamples } from "../../src/control/findings-history.ts";

describe("the history of findings", () => {
  it("knows a change from no change", () => {
    const states = ["works", "works", "missing", "missing", "works"] as const;
    const records = states.map((state, at) => ({ state, atMs: at }));
    expect(changesIn(records, "Disk")).toEqual([
      { title: "Disk", from: "works", to: "missing", atMs: 2 },
      { title: "Disk", from: "missing", to: "works", atMs: 4 },
    ]);
    expect(changesIn([], "Disk")).toEqual([]);
  });

  it("takes measurements only where there are some", () => {
    const evidence = [
      {},
      { diskSync: null },
      { diskSync: { medianMs: "1", worstMs: 2 } },
      { diskSync: { medianMs: 1, worstMs: 2 } },
    ];
    const records = evidence.map((one, at) => ({ evidence: one, atMs: at }));
    expect(syncSamples(records)).toEqual([{ atMs: 3, medianMs: 1, worstMs: 2 }]);
  });
});
