import type { HeatMapView, NodeDetailView, NodeListView, NodesPort } from "../api/nodes.ts";
import { baselinesRoutes } from "../api/routes/baselines.ts";
import { nodesRoutes } from "../api/routes/nodes.ts";
import { overviewRoutes } from "../api/routes/overview.ts";
import { queueRoutes } from "../api/routes/queue.ts";
import { reportsRoutes } from "../api/routes/reports.ts";
import { runsRoutes } from "../api/routes/runs.ts";
import type { Service, ServiceContext } from "../service.ts";
import { createBaselinesPort } from "./baselines.ts";
import { Fleet } from "./fleet.ts";
import { heatMapOf } from "./heat-map.ts";
import { nodeDetail } from "./node-detail.ts";
import { listNodes } from "./node-list.ts";
import { createOverview, type Neighbours } from "./overview.ts";
import { createQueuePort } from "./queue.ts";
import { createReportsPort } from "./reports.ts";
import { createRunsPort } from "./runs.ts";
import { Siblings } from "./siblings.ts";
import { SnapshotAnswers } from "./snapshot-answers.ts";
import { sayWord } from "./words.ts";

/** Lists that are kept of the same snapshots. */
const listsMax = 16;
/** Nodes that are looked at together; each takes hundreds of runs with their samples to tell about. */
const detailsMax = 32;

/** Answers about clusters, nodes, runs, the queue, baselines and reports. */
export function createFleetService(context: ServiceContext, neighbours: Neighbours = {}): Service {
  const fleet = new Fleet(context);
  const { doctor } = context;
  return {
    routes: [
      ...overviewRoutes(createOverview(fleet, { doctor, neighbours })),
      ...nodesRoutes(createNodesPort(fleet)),
      ...runsRoutes(createRunsPort(fleet)),
      ...queueRoutes(createQueuePort(fleet)),
      ...baselinesRoutes(createBaselinesPort(fleet)),
      ...reportsRoutes(createReportsPort(fleet)),
    ],
  };
}

function createNodesPort(fleet: Fleet): NodesPort {
  // Made once for each snapshot: many may look at the same.
  const siblings = new Siblings(fleet.store, fleet.clock);
  const maps = new SnapshotAnswers<HeatMapView>(1);
  const lists = new SnapshotAnswers<NodeListView>(listsMax);
  const details = new SnapshotAnswers<NodeDetailView>(detailsMax);
  return {
    list: async (query) => {
      const snapshots = await fleet.snapshots(query.cluster);
      const untold = fleet.untold(query.cluster);
      return lists.get(snapshots, JSON.stringify([query, untold]), () => ({
        ...listNodes(snapshots, query),
        ...(untold.length === 0 ? {} : { untold: [...untold] }),
      }));
    },
    heatMap: async (cluster) => {
      const keeper = fleet.keeper(cluster);
      const { provenance } = keeper;
      const snapshot = await keeper.snapshot();
      if (snapshot === undefined) {
        const [untold] = fleet.untold(cluster);
        return { ...emptyMap(cluster, provenance, fleet.clock.nowMs()), untold };
      }
      return maps.get([snapshot], "map", () => heatMapOf(snapshot, provenance));
    },
    node: async (cluster, node) => {
      const snapshots = await fleet.snapshots(cluster);
      return details.get(snapshots, node, () => nodeDetail(fleet, { cluster, node }, siblings));
    },
    say: (word) => sayWord(fleet, word),
  };
}

/** A cluster of which nothing has been seen. */
function emptyMap(
  cluster: string,
  provenance: HeatMapView["provenance"],
  nowMs: number,
): HeatMapView {
  return {
    cluster,
    provenance,
    at: new Date(nowMs).toISOString(),
    checks: [],
    names: [],
    racks: [],
    rackOf: [],
    skus: [],
    skuOf: [],
    uses: "",
    closed: "",
    standings: "",
    cells: [],
  };
}
