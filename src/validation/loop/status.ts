import type { ClusterView } from "../clusters/cluster.ts";
import type { Leader } from "../leadership/index.ts";
import type { PostponedRun } from "../plan/planner.ts";
import type { OpenRun } from "../run.ts";
import type { LoopState, LoopStatus, OpenRunStatus } from "./ports.ts";

const listMax = 100;

/** What a status is made from. */
export interface StatusParts {
  readonly cluster: string;
  readonly state: LoopState;
  readonly leader: Leader | undefined;
  readonly view: ClusterView | undefined;
  readonly open: readonly OpenRun[];
  readonly inFlightMax: number;
  readonly postponed: readonly PostponedRun[];
  readonly troubles: LoopStatus["troubles"];
}

export function statusOf(parts: StatusParts): LoopStatus {
  const { cluster, state, leader, view, open, inFlightMax, postponed, troubles } = parts;
  return {
    cluster,
    state,
    leader,
    nodes: view === undefined ? undefined : countNodes(view),
    inFlight: open.length,
    inFlightMax,
    open: open.slice(0, listMax).map(openRunStatus),
    postponed: postponed.slice(0, listMax),
    troubles,
  };
}

function countNodes({ nodes }: ClusterView): LoopStatus["nodes"] {
  let free = 0;
  let underTest = 0;
  for (const { notFree } of nodes) {
    if (notFree.length === 0) free++;
    else if (notFree.some(({ code }) => code === "under-test")) underTest++;
  }
  return { total: nodes.length, free, underTest };
}

/** An open run in short. */
export function openRunStatus(run: OpenRun): OpenRunStatus {
  const { id: runId, node, check, plannedAtMs } = run.intent;
  return { runId, node, check, plannedAtMs, state: stateOf(run) };
}

function stateOf({ cancelling, runningAtMs, submittedAtMs }: OpenRun): OpenRunStatus["state"] {
  if (cancelling !== undefined) return "cancelling";
  if (runningAtMs !== undefined) return "running";
  return submittedAtMs === undefined ? "planned" : "submitted";
}
