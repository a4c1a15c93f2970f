import {
  createReflector,
  type KubeClient,
  type Reflector,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { type HardwareFault, isLive, type NodeObject, nodeOf } from "../../objects/index.ts";
import type { FaultBookPort } from "../ports.ts";
import { newSightings } from "./sightings-of.ts";

export interface NodeWatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: { float(): number };
  readonly log: Pick<Logger, "warn">;
  readonly book: Pick<FaultBookPort, "sighted">;
}

/** Writes down what nodes show of the faults on them, as long as there are any. */
export interface NodeWatch {
  /** Tells it of all faults there are. */
  follow(faults: readonly HardwareFault[]): void;
  stop(): Promise<void>;
}

export function createNodeWatch(options: NodeWatchOptions): NodeWatch {
  const { clock, log, book } = options;
  let byNode = new Map<string, HardwareFault[]>();
  let nodes: Reflector<NodeObject, NodeObject> | undefined;
  // A sighting is written once; the next look comes with the next change of node or fault.
  const writing = new Set<string>();

  const look = (node: NodeObject | undefined) => {
    if (node === undefined) return;
    for (const fault of byNode.get(node.metadata.name ?? "") ?? []) {
      for (const sighting of newSightings(fault, node, clock.nowMs())) {
        const { name = "" } = fault.metadata;
        const key = `${name}/${sighting.by}/${sighting.what}/${sighting.detail ?? ""}`;
        if (writing.has(key)) continue;
        writing.add(key);
        book
          .sighted(name, sighting)
          .catch((err: unknown) => {
            log.warn({ err, fault: name, sighting }, "a sighting could not be written down");
          })
          .finally(() => writing.delete(key));
      }
    }
  };

  const start = () => {
    nodes = createReflector<NodeObject, NodeObject>({
      client: options.client,
      type: resourceTypes.nodes,
      project: partOf,
      clock,
      random: options.random,
      onFailure: (err) => log.warn({ err }, "the nodes cannot be watched; trying again"),
    });
    nodes.subscribe((event) => {
      if (event.type === "added" || event.type === "updated") look(event.object);
    });
    nodes.start();
  };

  const stop = async () => {
    const running = nodes;
    nodes = undefined;
    await running?.stop();
  };

  return {
    follow: (faults) => {
      const watched = faults.filter(isWatched);
      byNode = new Map();
      for (const fault of watched) {
        const node = nodeOf(fault.spec.action) ?? "";
        byNode.set(node, [...(byNode.get(node) ?? []), fault]);
      }
      if (watched.length === 0) void stop();
      else if (nodes === undefined) start();
      else for (const name of byNode.keys()) look(nodes.objects.get(name));
    },
    stop,
  };
}

/** What is being taken back is no longer looked for: its traces are on their way out. */
function isWatched(fault: HardwareFault): boolean {
  const { state = "planned", end } = fault.status ?? {};
  return (
    fault.spec.action.kind === "xid" &&
    isLive(fault) &&
    end === undefined &&
    (state === "armed" || state === "injected" || state === "observed")
  );
}

function partOf({ metadata, spec, status }: NodeObject): NodeObject {
  const { name = "", labels = {}, annotations = {} } = metadata;
  return {
    metadata: { name, labels, annotations },
    spec: { unschedulable: spec?.unschedulable === true },
    status: { conditions: status?.conditions ?? [] },
  };
}
