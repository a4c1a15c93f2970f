import type { HeatMapView, NodeListView, NodesPort } from "../api/nodes.ts";
import { baselinesRoutes } from "../api/routes/baselines.ts";
import { nodesRoutes } from "../api/routes/nodes.ts";
import { overviewRoutes } from "../api/routes/overview.ts";
import { queueRoutes } from "../api/routes/queue.ts";
import { reportsRoutes } from "../api/routes/reports.ts";
import { runsRoutes } from "../api/routes/runs.ts";
import type { Service, ServiceContext } from "../service.ts";
import { createBaselinesPort } from "./baselines.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";
import { Fleet } from "./fleet.ts";
import { heatMapOf } from "./heat-map.ts";
import { nodeDetail } from "./node-detail.ts";
import { listNodes } from "./node-list.ts";
import { createOverview, type Neighbours } from "./overview.ts";
import { createQueuePort } from "./queue.ts";
import { createReportsPort } from "./reports.ts";
import { createRunsPort } from "./runs.ts";
import { Siblings } from "./siblings.ts";
import { sayWord } from "./words.ts";

/** Lists of one snapshot that are kept. */
const listsMax = 16;

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
  const maps = new WeakMap<ClusterSnapshot, HeatMapView>();
  const lists = new WeakMap<ClusterSnapshot, Map<string, NodeListView>>();
  return {
    list: async (query) => {
      const snapshots = await fleet.snapshots(query.cluster);
      const [only, ...others] = snapshots;
      if (only === undefined || others.length > 0) return listNodes(snapshots, query);
      const known = lists.get(only) ?? new Map<string, NodeListView>();
      lists.set(only, known);
      const key = JSON.stringify(query);
      const list = known.get(key) ?? listNodes(snapshots, query);
      if (known.size < listsMax) known.set(key, list);
      return list;
    },
    heatMap: async (cluster) => {
      const keeper = fleet.keeper(cluster);
      const { provenance } = keeper;
      const snapshot = await keeper.snapshot();
      if (snapshot === undefined) return emptyMap(cluster, provenance, fleet.clock.nowMs());
      const map = maps.get(snapshot) ?? heatMapOf(snapshot, provenance);
      maps.set(snapshot, map);
      return map;
    },
    node: (cluster, node) => nodeDetail(fleet, { cluster, node }, siblings),
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
