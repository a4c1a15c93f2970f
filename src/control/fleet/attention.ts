import { describeScope, scopeOf } from "../../validation/baselines/index.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
import type { NodeRow } from "../api/nodes.ts";
import type { AttentionView } from "../api/overview.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";
import type { LeaderWord } from "./leader-word.ts";

const dayMs = 86_400_000;
/** Fewer nodes than this are no incident, as in classification. */
const incidentNodesMin = 4;

/** The page of a node. */
export function nodeLink(cluster: string, node: string): string {
  return `/nodes/${encodeURIComponent(cluster)}/${encodeURIComponent(node)}`;
}

/** Before it is known where it comes from. */
type Found = Omit<AttentionView, "provenance">;

/** What a person has to look at in one cluster. */
export function clusterAttention(
  snapshot: ClusterSnapshot,
  { refused, troubles }: LeaderWord,
): readonly Found[] {
  const { rows, name: cluster } = snapshot;
  return [
    ...rows.flatMap((row) => badNode(row, snapshot)),
    ...heldNodes(snapshot),
    ...incidents(snapshot),
    ...(refused === undefined ? [] : [breaker(cluster, refused)]),
    ...troubles.map(
      ({ step, problem }): Found => ({
        kind: "cluster-trouble",
        severity: "warning",
        title: `${cluster}: ${step} does not work`,
        reason: problem,
        cluster,
        node: null,
        since: null,
        link: `/fleet/${encodeURIComponent(cluster)}`,
      }),
    ),
  ];
}

/** A cluster that cannot be told about. */
export function clusterFailed(cluster: string, problem: string): Found {
  return {
    kind: "cluster-trouble",
    severity: "critical",
    title: `${cluster} cannot be validated`,
    reason: problem,
    cluster,
    node: null,
    since: null,
    link: `/fleet/${encodeURIComponent(cluster)}`,
  };
}

/** A candidate that waits for somebody to decide. */
export function baselineWaits(baseline: BaselineRecord): Found {
  const scope = scopeOf(baseline);
  return {
    kind: "baseline",
    severity: "note",
    title: `A baseline for ${describeScope(scope)} waits for a decision`,
    reason: baseline.reason,
    cluster: scope.cluster === "" ? null : scope.cluster,
    node: null,
    since: iso(baseline.madeAtMs),
    link: `/baselines?id=${encodeURIComponent(baseline.id)}`,
  };
}

const severities = { critical: 0, warning: 1, note: 2 } as const;
const kinds: Readonly<Record<AttentionView["kind"], number>> = {
  "fault-left": 0,
  "cluster-trouble": 1,
  breaker: 2,
  incident: 3,
  "failed-node": 4,
  "fault-api": 5,
  "suspect-node": 6,
  "held-node": 7,
  baseline: 8,
  doctor: 9,
};

/** What is real before what is simulated; then the most urgent first; of equals the newest. */
export function mostUrgentFirst(a: AttentionView, b: AttentionView): number {
  const newer = (b.since ?? "").localeCompare(a.since ?? "");
  return (
    Number(a.provenance === "simulated") - Number(b.provenance === "simulated") ||
    severities[a.severity] - severities[b.severity] ||
    kinds[a.kind] - kinds[b.kind] ||
    newer
  );
}

function badNode(row: NodeRow, { standings }: ClusterSnapshot): readonly Found[] {
  const { standing, cluster, name: node, reason } = row;
  if (standing !== "fail" && standing !== "suspect") return [];
  const check = row.checks.find((one) => one.standing === standing)?.check ?? "";
  const atMs = standings.get(node, check)?.atMs;
  return [
    {
      kind: standing === "fail" ? "failed-node" : "suspect-node",
      severity: standing === "fail" ? "critical" : "warning",
      title: `${node} ${standing === "fail" ? "failed" : "is suspect"}`,
      reason,
      cluster,
      node,
      since: atMs === undefined ? null : iso(atMs),
      link: nodeLink(cluster, node),
    },
  ];
}

function heldNodes({ name: cluster, deeds, rows }: ClusterSnapshot): readonly Found[] {
  const present = new Set(rows.map(({ name }) => name));
  return [...deeds.entries()].flatMap(([node, { override }]): Found[] => {
    if (override?.action !== "hold" || !present.has(node)) return [];
    const { actor, reason, atMs } = override;
    return [
      {
        kind: "held-node",
        severity: "note",
        title: `${node} is held`,
        reason: `Held by ${actor}: ${reason}`,
        cluster,
        node,
        since: iso(atMs),
        link: nodeLink(cluster, node),
      },
    ];
  });
}

/** Checks in which many nodes were bad together within the last day. */
function incidents(snapshot: ClusterSnapshot): readonly Found[] {
  const { name: cluster, checks, rows, standings, atMs } = snapshot;
  return checks.flatMap((check): Found[] => {
    const hit = rows.flatMap(({ name }) => {
      const said = standings.get(name, check);
      return said?.isIncident === true && (said.atMs ?? 0) >= atMs - dayMs ? [said] : [];
    });
    if (hit.length < incidentNodesMin) return [];
    return [
      {
        kind: "incident",
        severity: "critical",
        title: `${hit.length} nodes of ${cluster} are bad together in ${check}`,
        reason: "Something they share is probably to blame. Nothing is closed while this lasts.",
        cluster,
        node: null,
        since: iso(Math.max(...hit.map((said) => said.atMs ?? 0))),
        link: `/fleet/${encodeURIComponent(cluster)}`,
      },
    ];
  });
}

/** The circuit breaker keeps failed nodes open to users. */
function breaker(cluster: string, refused: NonNullable<LeaderWord["refused"]>): Found {
  const { nodes, reason } = refused;
  return {
    kind: "breaker",
    severity: "critical",
    title: `${nodes} failed ${nodes === 1 ? "node" : "nodes"} of ${cluster} must stay open`,
    reason,
    cluster,
    node: null,
    since: null,
    link: `/fleet/${encodeURIComponent(cluster)}?standing=fail`,
  };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
