import { describe, expect, it } from "vitest";
import { type AttentionView, overviewSchema } from "../../../src/control/api/overview.ts";
import { mostUrgentFirst } from "../../../src/control/fleet/attention.ts";
import { attentionMax, listAttention } from "../../../src/control/fleet/list-attention.ts";
import { read, testedFleet } from "./support.ts";

function things(
  kind: AttentionView["kind"],
  count: number,
  more: Partial<AttentionView> = {},
): AttentionView[] {
  const cluster = more.cluster ?? "prod";
  return Array.from({ length: count }, (_, at) => ({
    kind,
    severity: "warning",
    title: `${kind} ${at} of ${cluster}`,
    reason: "because",
    provenance: "measured",
    node: null,
    since: null,
    link: "/",
    ...more,
    cluster,
  }));
}

const failed = things("failed-node", 132, { severity: "critical" });
const suspect = things("suspect-node", 141);
const trouble = things("cluster-trouble", 1);
const silent = things("fault-api", 1);
const held = things("held-node", 12, { severity: "note" });

describe("more things that need a human than an answer holds", () => {
  const { attention, attentionCounts } = listAttention([
    ...suspect,
    ...held,
    ...failed,
    ...silent,
    ...trouble,
  ]);

  it("are counted as many as they are, by kind and cluster, the most urgent kind first", () => {
    expect(attentionCounts.map(({ kind, total }) => [kind, total])).toEqual([
      ["failed-node", 132],
      ["cluster-trouble", 1],
      ["fault-api", 1],
      ["suspect-node", 141],
      ["held-node", 12],
    ]);
  });

  it("are named in an answer that is no longer, with the first of each kind and none left out", () => {
    expect(attention).toHaveLength(attentionMax);
    const named = (kind: string) => attention.filter((one) => one.kind === kind);
    expect(named("cluster-trouble")).toEqual(trouble);
    expect(named("fault-api")).toEqual(silent);
    expect(named("suspect-node")).toEqual(suspect.slice(0, 10));
    expect(named("held-node")).toEqual(held.slice(0, 10));
    expect(named("failed-node")).toEqual(failed.slice(0, 78));
    expect(attention).toEqual(attention.toSorted(mostUrgentFirst));
  });

  it("leave room for every kind there is", () => {
    const kinds = [
      ...["fault-left", "cluster-trouble", "breaker", "incident", "failed-node"],
      ...["fault-api", "suspect-node", "held-node", "baseline", "doctor"],
    ] as const;
    const full = listAttention(kinds.flatMap((kind) => things(kind, 200)));
    expect(full.attention).toHaveLength(attentionMax);
    for (const kind of kinds) {
      expect(full.attention.filter((one) => one.kind === kind)).toHaveLength(10);
    }
  });

  it("are counted apart where they are simulated, and what is real is named first", () => {
    const made = { cluster: "demo", provenance: "simulated" } as const;
    const mixed = listAttention([
      ...things("failed-node", 150, { ...made, severity: "critical" }),
      ...things("suspect-node", 120),
    ]);
    expect(mixed.attentionCounts).toEqual([
      { kind: "suspect-node", cluster: "prod", provenance: "measured", total: 120 },
      { kind: "failed-node", ...made, total: 150 },
    ]);
    expect(mixed.attention.filter(({ kind }) => kind === "failed-node")).toHaveLength(10);
  });
});

describe("few things that need a human", () => {
  it("are all named", () => {
    const all = [...trouble, ...held, ...failed.slice(0, 80)];
    const { attention, attentionCounts } = listAttention(all);
    expect(attention).toEqual(all.toSorted(mostUrgentFirst));
    expect(attentionCounts.reduce((sum, { total }) => sum + total, 0)).toBe(all.length);
  });

  it("are none where nothing is wrong", () => {
    expect(listAttention([])).toEqual({ attention: [], attentionCounts: [] });
  });
});

describe("many baselines that wait for a decision", () => {
  it("are counted, each once, and do not hide which nodes failed", async () => {
    await using test = await testedFleet();
    const by = { actor: "tessera", reason: "Learned from 40 runs." };
    for (let at = 0; at < 120; at++) {
      const baseline = {
        id: `bl-${at}`,
        sku: "h100",
        check: "dl-unit",
        cohort: `cohort-${at}`,
        // Three were made at one moment.
        madeAtMs: 1_700_000_000_000 + Math.floor(at / 3),
        expiresAtMs: 4_000_000_000_000,
        figures: {},
        // Of a cluster that is not looked after here, nobody is asked to decide.
        provenance: { cluster: at < 20 ? "gone" : "made-up" },
      };
      await test.plane.validation?.history.saveBaseline(baseline, by);
    }
    const { attention, attentionCounts, attentionTotal } = await read(
      test,
      "overview",
      overviewSchema,
    );
    expect(attentionCounts.filter(({ kind }) => kind === "baseline")).toEqual([
      { kind: "baseline", cluster: "made-up", provenance: "simulated", total: 100 },
    ]);
    expect(attentionTotal).toBe(attentionCounts.reduce((sum, { total }) => sum + total, 0));
    expect(attention.length).toBeLessThanOrEqual(attentionMax);
    expect(attention.filter(({ kind }) => kind === "failed-node")).toHaveLength(2);
  });
});
