import { describe, expect, it } from "vitest";
import type { AttentionView } from "../../../src/control/api/overview.ts";
import { attentionGroups } from "../../../web/src/pages/overview/attention-groups.ts";

function items(
  kind: AttentionView["kind"],
  count: number,
  more: Partial<AttentionView> = {},
): AttentionView[] {
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
    ...more,
  }));
}

/** An answer that names all there is. */
function complete(...attention: readonly AttentionView[]) {
  const kinds = new Set(attention.map(({ kind }) => kind));
  return { attention, attentionCounts: [...kinds].map((kind) => counted(kind, attention)) };
}

function counted(kind: AttentionView["kind"], all: readonly AttentionView[]) {
  const total = all.filter((one) => one.kind === kind).length;
  return { kind, cluster: null, provenance: null, total };
}

describe("what needs a human", () => {
  it("is grouped by kind in the order of the most urgent of each, with counts", () => {
    const [failed, doctor] = [items("failed-node", 20), items("doctor", 2)];
    const { groups, folded } = attentionGroups(complete(...failed, ...doctor), false);
    expect(groups.map(({ title, count }) => [title, count])).toEqual([
      ["Failed nodes", 20],
      ["This machine", 2],
    ]);
    expect(groups.map((group) => group.items.length)).toEqual([4, 2]);
    expect(folded).toBe(16);
  });

  it("is all there when it is unfolded", () => {
    const all = [...items("incident", 1), ...items("failed-node", 99)];
    const { groups, folded } = attentionGroups(complete(...all), true);
    expect(groups.flatMap((group) => group.items)).toEqual(all);
    expect(groups.flatMap((group) => group.unlisted)).toEqual([]);
    expect(folded).toBe(0);
  });

  it("has more room where it is of one kind, and folds nothing that fits", () => {
    expect(attentionGroups(complete(...items("failed-node", 12)), false).folded).toBe(0);
    expect(attentionGroups(complete(...items("failed-node", 13)), false).folded).toBe(1);
  });
});

describe("more than an answer names", () => {
  const prod = { cluster: "prod", provenance: "measured" } as const;
  const demo = { cluster: "a demo", provenance: "simulated" } as const;
  const attention = [
    ...items("failed-node", 70, prod),
    ...items("suspect-node", 10, prod),
    ...items("failed-node", 2, demo),
  ];
  const attentionCounts = [
    { kind: "failed-node", ...prod, total: 100 },
    { kind: "suspect-node", ...prod, total: 141 },
    { kind: "failed-node", ...demo, total: 32 },
  ] as const;
  const { groups } = attentionGroups({ attention, attentionCounts }, true);

  it("is counted as it is, and tells what of it is simulated", () => {
    expect(groups.map(({ title, count, simulated }) => [title, count, simulated])).toEqual([
      ["Failed nodes", 132, 32],
      ["Suspect nodes", 141, 0],
    ]);
  });

  it("says how many are missing, and leads to them in each cluster", () => {
    expect(groups.map(({ unlisted }) => unlisted)).toEqual([
      [
        { count: 30, where: "prod", link: "/fleet/prod?view=table&standing=fail" },
        { count: 30, where: "a demo", link: "/fleet/a%20demo?view=table&standing=fail" },
      ],
      [{ count: 131, where: "prod", link: "/fleet/prod?view=table&standing=suspect" }],
    ]);
  });

  it("has one way to what one page shows for all clusters", () => {
    const waiting = attentionGroups(
      {
        attention: items("baseline", 10, prod),
        attentionCounts: [
          { kind: "baseline", ...prod, total: 40 },
          { kind: "baseline", ...demo, total: 5 },
        ],
      },
      false,
    );
    expect(waiting.groups[0]?.unlisted).toEqual([
      { count: 35, where: "the baselines", link: "/baselines?state=candidate" },
    ]);
  });

  it("shows also a kind of which nothing is named", () => {
    const [only] = attentionGroups(
      { attention: [], attentionCounts: [attentionCounts[1]] },
      false,
    ).groups;
    expect(only).toMatchObject({ title: "Suspect nodes", count: 141, items: [] });
  });
});
