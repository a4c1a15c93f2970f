import { describe, expect, it } from "vitest";
import type { FindingView } from "../../../src/control/api/system.ts";
import { evidenceLines, groupFindings } from "../../../web/src/pages/machine/finding-groups.ts";

function finding(probe: string, state: FindingView["state"], required = false): FindingView {
  return {
    probe,
    title: probe,
    state,
    required,
    neededFor: "tests",
    reason: "",
    hint: null,
    duration: { value: 0, unit: "seconds", provenance: "measured", where: "" },
    evidence: {},
  };
}

describe("findings on the machine's page", () => {
  it("come with what lacks first, and within that what is required", () => {
    const groups = groupFindings([
      finding("a", "works"),
      finding("b", "missing"),
      finding("c", "missing", true),
      finding("d", "unknown"),
    ]);
    expect(groups.map(({ state }) => state)).toEqual(["missing", "unknown", "works"]);
    expect(groups[0]?.findings.map(({ probe }) => probe)).toEqual(["c", "b"]);
  });

  it("give no group where there is nothing", () => {
    expect(groupFindings([])).toEqual([]);
  });

  it("tell evidence line by line, whatever it is", () => {
    expect(evidenceLines({ path: "/x", sizes: [1, 2], gone: undefined })).toEqual([
      { name: "path", text: "/x" },
      { name: "sizes", text: "[1,2]" },
      { name: "gone", text: "" },
    ]);
  });
});
