import { heldNodes } from "../act/held-nodes.ts";
import type { Cluster, ClusterView } from "../clusters/cluster.ts";
import type { History } from "../history/history.ts";
import { postponedMax } from "../plan/draft.ts";
import type {
  PassScope,
  Plan,
  PlanInput,
  PlannedRun,
  Planner,
  WantedRun,
} from "../plan/planner.ts";
import type { OpenRun } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";

const dayMs = 86_400_000;
/** What people said of nodes; the newest counts. */
const wordsMax = 100_000;
const takenReason = "it was free when the plan was made, and is not any more";

/** Reads what a plan is made from. */
export async function readPlanInput(options: {
  readonly cluster: Cluster;
  readonly history: History;
  readonly settings: ValidationSettings;
  readonly view: ClusterView;
  readonly open: readonly OpenRun[];
  readonly wanted: readonly WantedRun[];
  /** What a single pass is about. @default everything */
  readonly scope?: PassScope | undefined;
}): Promise<PlanInput> {
  const { cluster, history, settings, view, open, wanted, scope } = options;
  const nowMs = cluster.clock.nowMs();
  const checks = checksOf(cluster, settings);
  const [latest, lastEndedAtMs, gpuHoursToday, words] = await Promise.all([
    history.latestStatus(cluster.name, checks, nowMs),
    history.lastEndedAtMs(cluster.name),
    history.gpuHoursSince(cluster.name, Math.floor(nowMs / dayMs) * dayMs),
    history.nodeEvents({ cluster: cluster.name, kinds: ["override"], limit: wordsMax }),
  ]);
  const held = heldNodes(words);
  const { nodes } = view;
  const input = { nowMs, nodes, latest, open, lastEndedAtMs, gpuHoursToday, wanted, held };
  return scope === undefined ? input : { ...input, scope };
}

/** The checks that are asked for and can run here. */
function checksOf(cluster: Cluster, settings: ValidationSettings): readonly string[] {
  const available = new Set(cluster.checks.available);
  return settings.checks.map(({ name }) => name).filter((name) => available.has(name));
}

/**
 * Plans, and postpones what has become impossible since the input was read.
 *
 * @param view the newest, which must be current.
 */
export function planNow(planner: Planner, input: PlanInput, view: ClusterView): Plan {
  const plan = planner.plan(input);
  const chosen = new Set(stillFree(plan.chosen, view));
  return postpone(
    plan,
    plan.chosen.filter((run) => !chosen.has(run)),
    takenReason,
  );
}

/** A plan in which some of the runs that it chose wait all the same. */
function postpone(plan: Plan, runs: readonly PlannedRun[], reason: string): Plan {
  if (runs.length === 0) return plan;
  const rail = "not-free";
  const late = new Set(runs);
  const count = plan.postponedByRail.get(rail) ?? 0;
  const listed = runs.slice(0, Math.max(0, postponedMax - count));
  return {
    chosen: plan.chosen.filter((run) => !late.has(run)),
    postponed: [
      ...plan.postponed,
      ...listed.map(({ node, check }) => ({ node: node.name, check, rail, reason }) as const),
    ],
    postponedByRail: new Map(plan.postponedByRail).set(rail, count + runs.length),
  };
}

function stillFree(chosen: readonly PlannedRun[], view: ClusterView): readonly PlannedRun[] {
  const wanted = new Set(chosen.map(({ node }) => node.name));
  const free = new Set<string>();
  for (const { name, notFree } of view.nodes) {
    if (notFree.length === 0 && wanted.has(name)) free.add(name);
  }
  for (const { node, phase } of view.jobs) {
    if (phase === "pending" || phase === "running") free.delete(node);
  }
  return chosen.filter(({ node }) => free.has(node.name));
}
