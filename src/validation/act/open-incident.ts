import {
  type CheckStates,
  type JudgedRun,
  type NodeStates,
  standingVerdict,
} from "../judge/index.ts";

/** Many nodes that are bad together, now. */
export interface OpenIncident {
  readonly check: string;
  readonly nodes: number;
}

const dayMs = 86_400_000;
/** Fewer nodes than this are no incident, as in classification. */
const nodesMin = 4;

/**
 * The largest incident that is not over: a check of which the newest run of at least four nodes is
 * part of one and ended within the last day.
 */
export function openIncident(
  states: CheckStates,
  nodes: ReadonlySet<string>,
  nowMs: number,
): OpenIncident | undefined {
  const counts = new Map<string, number>();
  for (const [node, own] of states.nodes()) {
    for (const { check, endedAtMs } of runsOfIncidents(own)) {
      if (endedAtMs < nowMs - dayMs || !nodes.has(node)) continue;
      counts.set(check, (counts.get(check) ?? 0) + 1);
    }
  }
  const [largest] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (largest === undefined || largest[1] < nodesMin) return undefined;
  return { check: largest[0], nodes: largest[1] };
}

/** Kept with what it follows from: most nodes have no new run since the last look. */
const known = new WeakMap<NodeStates, readonly JudgedRun[]>();

/** The runs that decide how the checks of a node stand, where they are part of an incident. */
function runsOfIncidents(states: NodeStates): readonly JudgedRun[] {
  const before = known.get(states);
  if (before !== undefined) return before;
  const runs = [...states.values()].flatMap((state) => {
    const { run } = standingVerdict(state);
    return run?.findings.some(({ rule }) => rule === "incident") === true ? [run] : [];
  });
  known.set(states, runs);
  return runs;
}
