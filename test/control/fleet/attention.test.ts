import { describe, expect, it } from "vitest";
import type { NodeRow } from "../../../src/control/api/nodes.ts";
import type { AttentionView } from "../../../src/control/api/overview.ts";
import { clusterAttention, mostUrgentFirst } from "../../../src/control/fleet/attention.ts";
import type { ClusterSnapshot } from "../../../src/control/fleet/cluster-snapshot.ts";
import { type CheckStanding, untested } from "../../../src/control/fleet/standing.ts";
import type { Refusal } from "../../../src/validation/act/index.ts";

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
function snapshotOf(
  nodes: Readonly<Record<string, Partial<CheckStanding>>>,
  troubles: ClusterSnapshot["status"]["troubles"] = [],
): ClusterSnapshot {
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
      troubles,
    },
    open: [],
    standings: { get: (node) => standings.get(node) },
    deeds: { get: () => undefined, entries: () => [] },
  };
}

function careWith(refusals: readonly Refusal[]) {
  const decision = { actions: [], refusals, wanted: [], health: [] };
  return { last: () => ({ decision, outcomes: [] }) };
}

const calm = careWith([]);
const kindsOf = (found: readonly AttentionView[]) => found.map(({ kind }) => kind);

describe("what needs a person in a cluster", () => {
  const bad = { standing: "suspect", isIncident: true } as const;

  it("is an incident when four nodes are bad together within a day, and tells how many", () => {
    const found = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad, d: bad }), calm);
    const incident = found.find(({ kind }) => kind === "incident");
    expect(incident).toMatchObject({
      severity: "critical",
      title: `4 nodes of prod are bad together in ${check}`,
      link: "/fleet/prod",
    });
  });

  it("is no incident with three nodes, nor when the fourth was bad two days ago", () => {
    const three = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad }), calm);
    expect(kindsOf(three)).toEqual(["suspect-node", "suspect-node", "suspect-node"]);
    const old = { ...bad, atMs: atMs - 2 * dayMs };
    const aged = clusterAttention(snapshotOf({ a: bad, b: bad, c: bad, d: old }), calm);
    expect(kindsOf(aged)).not.toContain("incident");
  });

  it("is the breaker when failed nodes must stay open, with its own reason", () => {
    const reason = "5 of 50 nodes are closed by us, and more than 10 % must not be.";
    const refusals = [
      { node: "a", code: "share", reason },
      { node: "b", code: "share", reason },
    ] as const;
    const found = clusterAttention(snapshotOf({}), careWith(refusals));
    expect(found).toMatchObject([
      { kind: "breaker", title: "2 failed nodes of prod must stay open", reason },
    ]);
    const one = clusterAttention(snapshotOf({}), careWith(refusals.slice(0, 1)));
    expect(one[0]?.title).toBe("1 failed node of prod must stay open");
  });

  it("is nothing where all nodes pass, nothing is refused and nothing was decided yet", () => {
    const well = snapshotOf({ a: { standing: "pass" }, b: { standing: "warn" } });
    expect(clusterAttention(well, calm)).toEqual([]);
    expect(clusterAttention(well, { last: () => undefined })).toEqual([]);
  });

  it("comes most urgent first: trouble, breaker, incident, failures, then suspicions", () => {
    const nodes = { a: bad, b: bad, c: bad, d: bad, e: { standing: "fail" } } as const;
    const troubles = [{ step: "store", problem: "the disk is full" }];
    const refusals = [{ node: "e", code: "incident", reason: "4 nodes" }] as const;
    const found = clusterAttention(snapshotOf(nodes, troubles), careWith(refusals));
    const kinds = kindsOf(found.toSorted(mostUrgentFirst));
    expect([...new Set(kinds)]).toEqual([
      "breaker",
      "incident",
      "failed-node",
      "cluster-trouble",
      "suspect-node",
    ]);
  });
});
