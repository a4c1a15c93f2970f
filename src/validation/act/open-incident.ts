import { type CheckStates, standingVerdict } from "../judge/index.ts";

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
  for (const state of states) {
    if (!nodes.has(state.node)) continue;
    const { run } = standingVerdict(state);
    if (run === undefined || run.endedAtMs < nowMs - dayMs) continue;
    if (!run.findings.some(({ rule }) => rule === "incident")) continue;
    counts.set(state.check, (counts.get(state.check) ?? 0) + 1);
  }
  const [largest] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (largest === undefined || largest[1] < nodesMin) return undefined;
  return { check: largest[0], nodes: largest[1] };
}
