import type { Queryable } from "../../platform/store/index.ts";
import type { Provenance } from "../../platform/words.ts";
import { type CheckConclusion, type Conclusion, nodeStanding } from "./node-standing.ts";

/** A node about which something was concluded lately, and how it stands now. */
export interface NodeNow {
  readonly cluster: string;
  readonly node: string;
  readonly provenance: Provenance;
  readonly standing: ReturnType<typeof nodeStanding>;
}

/** A node that Tessera closed. */
export interface ClosedNode {
  readonly seq: number;
  readonly cluster: string;
  readonly node: string;
  readonly atMs: number;
  readonly reason: string;
  readonly provenance: Provenance;
}

const nodesInQuery = 200;

/** The nodes that have a conclusion of a number within these bounds, and how each stands now. */
export async function readJudgedNodes(
  db: Queryable,
  range: { readonly afterSeq: number; readonly untilSeq: number },
): Promise<readonly NodeNow[]> {
  const touched = await db
    .selectFrom("run_verdicts as v")
    .innerJoin("run_intents as i", "i.id", "v.run_id")
    .select(["i.cluster", "i.node", "i.provenance"])
    .distinct()
    .where("v.seq", ">", range.afterSeq)
    .where("v.seq", "<=", range.untilSeq)
    .execute();
  const clusters = new Map<string, Map<string, Provenance>>();
  for (const { cluster, node, provenance } of touched) {
    const nodes = clusters.get(cluster) ?? new Map<string, Provenance>();
    clusters.set(cluster, nodes.set(node, provenance));
  }
  const found: NodeNow[] = [];
  for (const [cluster, nodes] of clusters) {
    const names = [...nodes.keys()];
    for (let from = 0; from < names.length; from += nodesInQuery) {
      const chunk = names.slice(from, from + nodesInQuery);
      for (const [node, checks] of await readStandings(db, cluster, chunk)) {
        const provenance = nodes.get(node) ?? "measured";
        found.push({ cluster, node, provenance, standing: nodeStanding(checks) });
      }
    }
  }
  return found;
}

/** Nodes that were closed, by the number of the record. */
export async function readClosedNodes(
  db: Queryable,
  range: { readonly afterSeq: number; readonly untilSeq: number },
): Promise<readonly ClosedNode[]> {
  const rows = await db
    .selectFrom("node_events")
    .select(["seq", "cluster", "node", "at", "details"])
    .where("kind", "=", "cordoned")
    .where("seq", ">", range.afterSeq)
    .where("seq", "<=", range.untilSeq)
    .orderBy("seq")
    .limit(1_000)
    .execute();
  const provenances = await readProvenances(db, [...new Set(rows.map(({ cluster }) => cluster))]);
  return rows.map(({ at, details, ...row }) => {
    const { reason }: { reason?: unknown } = JSON.parse(details);
    return {
      ...row,
      atMs: at,
      reason: typeof reason === "string" ? reason : "No reason was recorded.",
      provenance: provenances.get(row.cluster) ?? "measured",
    };
  });
}

/** Where the figures of a cluster come from: as its newest run says. */
async function readProvenances(
  db: Queryable,
  clusters: readonly string[],
): Promise<ReadonlyMap<string, Provenance>> {
  const found = new Map<string, Provenance>();
  for (const cluster of clusters) {
    const row = await db
      .selectFrom("run_intents")
      .select("provenance")
      .where("cluster", "=", cluster)
      .orderBy("planned_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) found.set(cluster, row.provenance);
  }
  return found;
}

async function readStandings(
  db: Queryable,
  cluster: string,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, readonly CheckConclusion[]>> {
  const latest = await db
    .selectFrom("latest_runs")
    .select(["node", "check_name", "ended_run", "completed_run"])
    .where("cluster", "=", cluster)
    .where("node", "in", nodes)
    .orderBy("check_name")
    .execute();
  const runs = latest.flatMap(({ ended_run, completed_run }) => [ended_run, completed_run ?? []]);
  const conclusions = await readConclusions(db, [...new Set(runs.flat())]);
  const byNode = new Map<string, CheckConclusion[]>();
  for (const { node, check_name, ended_run, completed_run } of latest) {
    const checks = byNode.get(node) ?? [];
    checks.push({
      check: check_name,
      ended: conclusions.get(ended_run),
      completed: completed_run === null ? undefined : conclusions.get(completed_run),
    });
    byNode.set(node, checks);
  }
  return byNode;
}

/** The newest conclusion about each run. */
async function readConclusions(
  db: Queryable,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Conclusion>> {
  const found = new Map<string, Conclusion>();
  for (let from = 0; from < runIds.length; from += nodesInQuery) {
    const rows = await db
      .selectFrom("run_verdicts")
      .select(["run_id", "verdict", "reason", "at"])
      .where("run_id", "in", runIds.slice(from, from + nodesInQuery))
      .orderBy("seq")
      .execute();
    for (const { run_id: runId, at: atMs, ...rest } of rows) {
      found.set(runId, { runId, atMs, ...rest });
    }
  }
  return found;
}
