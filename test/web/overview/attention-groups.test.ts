import { describe, expect, it } from "vitest";
import type { AttentionView } from "../../../src/control/api/overview.ts";
import { attentionGroups } from "../../../web/src/pages/overview/attention-groups.ts";

function items(kind: AttentionView["kind"], count: number): AttentionView[] {
  return Array.from({ length: count }, (_, at) => ({
    kind,
    severity: "warning",
    title: `${kind} ${at}`,
    reason: "because",
    cluster: null,
    provenance: null,
    node: null,
    since: null,
    link: "/",
  }));
}

describe("what needs a human", () => {
  it("is grouped by kind in the order of the most urgent of each, with counts", () => {
    const [failed, doctor] = [items("failed-node", 20), items("doctor", 2)];
    const { groups, folded } = attentionGroups([...failed, ...doctor], false);
    expect(groups.map(({ title, count }) => [title, count])).toEqual([
      ["Failed nodes", 20],
      ["This machine", 2],
    ]);
    expect(groups.map((group) => group.items.length)).toEqual([4, 2]);
    expect(folded).toBe(16);
  });

  it("is all there when it is unfolded", () => {
    const all = [...items("incident", 1), ...items("failed-node", 99)];
    const { groups, folded } = attentionGroups(all, true);
    expect(groups.flatMap((group) => group.items)).toEqual(all);
    expect(folded).toBe(0);
  });

  it("has more room where it is of one kind, and folds nothing that fits", () => {
    expect(attentionGroups(items("failed-node", 12), false).folded).toBe(0);
    expect(attentionGroups(items("failed-node", 13), false).folded).toBe(1);
  });
});
