import type { Provenance } from "../../platform/words.ts";
import type { Cluster, ClusterKind, ClusterView } from "../clusters/cluster.ts";
import { getFreeNodeList } from "../clusters/free-nodes.ts";
import type { History } from "../history/history.ts";
import type { Plan, Planner, WantedRun } from "../plan/planner.ts";
import type { PolicyName } from "../prioritize/index.ts";
import type { OpenRun } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import { readPlanInput } from "./plan-step.ts";

/** What would be done on one cluster now. */
export interface ClusterPlan {
  readonly cluster: string;
  readonly kind: ClusterKind;
  /** What it is, for people. */
  readonly about: string;
  readonly provenance: Provenance;
  readonly policy: PolicyName;
  /** The cluster's time. */
  readonly atMs: number;
  readonly nodes: { readonly total: number; readonly free: number };
  readonly inFlight: { readonly now: number; readonly max: number };
  /** Infinity where there is no limit. */
  readonly gpuHours: { readonly today: number; readonly perDay: number };
  readonly plan: Plan;
}

/** Plans without beginning anything. */
export async function planForPeople(given: {
  readonly cluster: Cluster;
  readonly about: string;
  readonly history: History;
  readonly settings: ValidationSettings;
  readonly view: ClusterView;
  readonly open: readonly OpenRun[];
  readonly wanted: readonly WantedRun[];
  readonly planner: Pick<Planner, "plan">;
}): Promise<ClusterPlan> {
  const { cluster, about, settings, view, open, planner } = given;
  const input = await readPlanInput(given);
  return {
    cluster: cluster.name,
    kind: cluster.kind,
    about,
    provenance: cluster.provenance,
    policy: settings.policy,
    atMs: input.nowMs,
    nodes: { total: view.nodes.length, free: getFreeNodeList(view).length },
    inFlight: { now: open.length, max: settings.guard.inFlightMax },
    gpuHours: { today: input.gpuHoursToday, perDay: settings.guard.gpuHoursPerDay },
    plan: planner.plan(input),
  };
}
