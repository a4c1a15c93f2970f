import { describe, expect, it } from "vitest";
import type { NodeRow } from "../../../src/control/api/nodes.ts";
import type { AttentionView } from "../../../src/control/api/overview.ts";
import { clusterAttention, mostUrgentFirst } from "../../../src/control/fleet/attention.ts";
import type { ClusterSnapshot } from "../../../src/control/fleet/cluster-snapshot.ts";
import { noWord } from "../../../src/control/fleet/leader-word.ts";
import { type CheckStanding, untested } from "../../../src/control/fleet/standing.ts";

const dayMs = 86_400_000;
const atMs = Date.UTC(2026, 5, 10);
const check = "nccl-loopback";

function row(name: string, standing: NodeRow["standing"] = "pass"): NodeRow {
  return {
    cluster: "prod",
    name,
    sku: "h100",
    rack: "r1",
    standing,
    reason: `${check}: busbw is 40 GB/s`,
    use: "free",
    useReason: "",
    closedBy: null,
    isCovered: true,
    checks: [{ check, standing, ageDays: 0, isStale: false }],
  };
}

/** A cluster whose nodes stand as told. */
function snapshotOf(nodes: Readonly<Record<string, Partial<CheckStanding>>>): ClusterSnapshot {
  const standings = new Map(
    Object.entries(nodes).map(([name, more]) => [name, { ...untested, atMs, ...more }]),
  );
  return {
    name: "prod",
    atMs,
    checks: [check],
    rows: [...standings].map(([name, { standing }]) => row(name, standing)),
    view: { atMs, trust: { state: "current" }, nodes: [], jobs: [] },
    status: {
      cluster: "prod",
      state: "leading",
      leader: undefined,
      nodes: undefined,
      inFlight: 0,
      inFlightMax: 8,
      open: [],
      postponed: [],
      troubles: [],
    },
    open: [],
    standings: { get: (node) => standings.get(node) },
    deeds: { get: () => undefined, entries: () => [] },
  };
}

const measured = <One extends object>(one: One) => ({ ...one, provenance: "measured" as const });
const kindsOf = (found: readonly Pick<AttentionView, "kind">[]) => found.map(({ kind }) => kind);

describe("what needs a person in a cluster", () => {
  const bad = { standing: "suspect", isIncident: true } as const;

  it("is an incident when four nodes are bad together within a day, and tells how many", () => {
    const found = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad, d: bad }), noWord);
    const incident = found.find(({ kind }) => kind === "incident");
    expect(incident).toMatchObject({
      severity: "critical",
      title: `4 nodes of prod are bad together in ${check}`,
      link: "/fleet/prod",
    });
  });

  it("is no incident with three nodes, nor when the fourth was bad two days ago", () => {
    const three = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad }), noWord);
    expect(kindsOf(three)).toEqual(["suspect-node", "suspect-node", "suspect-node"]);
    const old = { ...bad, atMs: atMs - 2 * dayMs };
    const aged = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad, d: old }), noWord);
    expect(kindsOf(aged)).not.toContain("incident");
  });

  it("is the breaker when failed nodes must stay open, with its own reason", () => {
    const reason = "5 of 50 nodes are closed by us, and more than 10 % must not be.";
    const found = clusterAttention(snapshotOf({}), { ...noWord, refused: { nodes: 2, reason } });
    expect(found).toMatchObject([
      { kind: "breaker", title: "2 failed nodes of prod must stay open", reason },
    ]);
    const one = clusterAttention(snapshotOf({}), { ...noWord, refused: { nodes: 1, reason } });
    expect(one[0]?.title).toBe("1 failed node of prod must stay open");
  });

  it("is nothing where all nodes pass and their leader has nothing to say", () => {
    const well = snapshotOf({ a: { standing: "pass" }, b: { standing: "warn" } });
    expect(clusterAttention(well, noWord)).toEqual([]);
  });

  it("comes most urgent first: trouble, breaker, incident, failures, then suspicions", () => {
    const nodes = { a: bad, b: bad, c: bad, d: bad, e: { standing: "fail" } } as const;
    const troubles = [{ step: "store", problem: "the disk is full" }];
    const word = { troubles, refused: { nodes: 1, reason: "4 nodes" } };
    const found = clusterAttention(snapshotOf(nodes), word).map(measured);
    const kinds = kindsOf(found.toSorted(mostUrgentFirst));
    expect([...new Set(kinds)]).toEqual([
      "breaker",
      "incident",
      "failed-node",
      "cluster-trouble",
      "suspect-node",
    ]);
  });

  it("comes before everything that is simulated, however urgent that is and however new", () => {
    const nodes = { a: { standing: "suspect" }, b: { standing: "fail" } } as const;
    const [suspect, failed] = clusterAttention(snapshotOf(nodes), noWord);
    if (suspect === undefined || failed === undefined) throw new Error("two are bad");
    const simulated = {
      ...failed,
      provenance: "simulated",
      since: "2027-01-01T00:00:00Z",
    } as const;
    const real = measured({ ...suspect, since: "2026-01-01T00:00:00Z" });
    expect([simulated, real].toSorted(mostUrgentFirst)).toEqual([real, simulated]);
  });
});
