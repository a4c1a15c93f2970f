import { createRng, randomSeed } from "../../platform/rng/index.ts";
import { createNodeCare } from "../../validation/act/index.ts";
import type { AssembledLoop } from "../../validation/assemble/index.ts";
import {
  type ClusterPlan,
  openRunStatus,
  type Prospect,
  planForPeople,
} from "../../validation/loop/index.ts";
import { loadPlanner, type Plan, postponedCount } from "../../validation/plan/index.ts";
import type { OpenRun } from "../../validation/run.ts";
import type { QueuePort, QueueView } from "../api/queue.ts";
import type { Fleet } from "./fleet.ts";
import { Kept } from "./kept.ts";

/** Plans are made for people at most this often. */
const planForMs = 2_000;
/** Without the lead a planner has to read weeks of history, which is done seldom. */
const prospectForMs = 60_000;
const clustersMax = 64;
/** A person reads no more of what one rail keeps back. */
const perRailMax = 100;

interface Queue {
  readonly planned: ClusterPlan;
  readonly open: readonly OpenRun[];
}

/** What is under way, what comes next and what is kept waiting. */
export function createQueuePort(fleet: Fleet): QueuePort {
  const { clock } = fleet;
  const queues = new Kept<Queue>({ clock, forMs: planForMs, sizeMax: clustersMax });
  const prospects = new Kept<Prospect>({ clock, forMs: prospectForMs, sizeMax: clustersMax });
  const read = async (assembled: AssembledLoop): Promise<Queue> => {
    const { entry, opened, settings, loop } = assembled;
    const { cluster, about } = opened;
    const { history } = fleet;
    const { planner, wanted } =
      loop.prospect() ?? (await prospects.get(entry.name, () => prospectOf(fleet, assembled)));
    const open = await history.openRuns(entry.name);
    const view = cluster.view();
    const given = { cluster, about, history, settings, view, open, wanted, planner };
    return { planned: await planForPeople(given), open };
  };
  return {
    queue: async ({ cluster, limit }) => {
      const keeper = fleet.keeper(cluster);
      const { assembled, provenance } = keeper;
      if (assembled === undefined) {
        const [untold] = fleet.untold(cluster);
        return { ...emptyQueue(cluster, provenance, clock.nowMs()), untold };
      }
      return viewOf(await queues.get(cluster, () => read(assembled)), limit);
    },
  };
}

/** What a loop would plan from, read as one that begins would read it. */
async function prospectOf(fleet: Fleet, assembled: AssembledLoop): Promise<Prospect> {
  const { entry, opened, settings } = assembled;
  const { history, store, clock } = fleet;
  const { cluster } = opened;
  const nowMs = cluster.clock.nowMs();
  const care = createNodeCare({ cluster, history, store, settings, clock });
  const { wanted } = await care.judge({ newRuns: [], nowMs });
  const rng = createRng(randomSeed());
  const planner = await loadPlanner({ history, cluster: entry.name, settings, rng, nowMs });
  return { planner, wanted };
}

function viewOf({ planned, open }: Queue, limit: number): QueueView {
  const { cluster, provenance, atMs, policy, nodes, inFlight, gpuHours, plan } = planned;
  const { chosen } = plan;
  return {
    cluster,
    provenance,
    at: iso(atMs),
    policy,
    freeNodes: nodes.free,
    inFlight,
    gpuHours: {
      today: gpuHours.today,
      perDay: Number.isFinite(gpuHours.perDay) ? gpuHours.perDay : null,
    },
    open: open.slice(0, limit).map((run) => openView(run, atMs)),
    next: chosen.slice(0, limit).map(({ node, check, purpose, reason, gpuHours: cost }) => ({
      node: node.name,
      check,
      purpose,
      reason,
      gpuHours: cost,
    })),
    nextTotal: chosen.length,
    ...postponedView(plan, Math.min(limit, perRailMax)),
  };
}

/** @param nowMs the cluster's time. */
export function openView(run: OpenRun, nowMs: number): QueueView["open"][number] {
  const { plannedAtMs, ...ref } = openRunStatus(run);
  const { purpose, reason } = run.intent;
  const elapsedS = Math.max(0, nowMs - plannedAtMs) / 1000;
  return { ...ref, purpose, reason, plannedAt: iso(plannedAtMs), elapsedS };
}

/** Everything that is kept waiting as counts, and the first of each rail with their reasons. */
export function postponedView(
  plan: Pick<Plan, "postponed" | "postponedByRail">,
  ofEachMax: number,
): Pick<QueueView, "postponed" | "postponedByRail" | "postponedTotal"> {
  const taken = new Map<string, number>();
  return {
    postponed: plan.postponed.flatMap(({ node, check = null, rail, reason }) => {
      const count = (taken.get(rail) ?? 0) + 1;
      taken.set(rail, count);
      return count > ofEachMax ? [] : [{ node, check, rail, reason }];
    }),
    postponedByRail: [...plan.postponedByRail]
      .map(([rail, count]) => ({ rail, count }))
      .toSorted((a, b) => b.count - a.count || a.rail.localeCompare(b.rail, "en")),
    postponedTotal: postponedCount(plan),
  };
}

/** A cluster that cannot be told about. */
function emptyQueue(
  cluster: string,
  provenance: QueueView["provenance"],
  nowMs: number,
): QueueView {
  return {
    cluster,
    provenance,
    at: iso(nowMs),
    policy: "none",
    freeNodes: 0,
    inFlight: { now: 0, max: 0 },
    gpuHours: { today: 0, perDay: null },
    open: [],
    next: [],
    nextTotal: 0,
    postponed: [],
    postponedByRail: [],
    postponedTotal: 0,
  };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
