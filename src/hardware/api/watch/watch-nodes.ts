import {
  createReflector,
  type KubeClient,
  type Reflector,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import { type HardwareFault, isLive, type NodeObject, nodeOf } from "../../objects/index.ts";
import type { FaultBookPort } from "../ports.ts";
import { LateReactions } from "./late-reactions.ts";
import { newSightings } from "./sightings-of.ts";

export interface NodeWatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: { float(): number };
  readonly log: Pick<Logger, "info" | "warn">;
  readonly book: Pick<FaultBookPort, "sighted">;
}

/**
 * Writes down what nodes show of the faults on them, as long as there are any, and a while longer puts
 * back what NVSentinel does about those that are over.
 */
export interface NodeWatch {
  /** Tells it of all faults there are. */
  follow(faults: readonly HardwareFault[]): void;
  stop(): Promise<void>;
}

export function createNodeWatch(options: NodeWatchOptions): NodeWatch {
  const { clock, log } = options;
  let byNode = new Map<string, HardwareFault[]>();
  let nodes: Reflector<NodeObject, NodeObject> | undefined;
  let timer: Timer | undefined;
  const late = new LateReactions(options);
  const write = sightingWriter(options);

  const look = (node: NodeObject | undefined) => {
    if (node === undefined) return;
    late.look(node);
    for (const fault of byNode.get(node.metadata.name ?? "") ?? []) write(fault, node);
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

  /** Nobody tells us when the last one that is over need not be watched any more. */
  const stopLater = (untilMs: number) => {
    timer = clock.setTimer(Math.max(0, untilMs - clock.nowMs()), () => {
      late.follow([]);
      if (late.untilMs === undefined) void stop();
      else stopLater(late.untilMs);
    });
  };

  return {
    follow: (faults) => {
      byNode = new Map();
      for (const fault of faults.filter(isWatched)) {
        const node = nodeOf(fault.spec.action) ?? "";
        byNode.set(node, [...(byNode.get(node) ?? []), fault]);
      }
      late.follow(faults);
      timer?.cancel();
      const { untilMs } = late;
      const isNeeded = faults.some(isUnderWay);
      if (!isNeeded && untilMs !== undefined) stopLater(untilMs);
      if (!isNeeded && untilMs === undefined) void stop();
      else if (nodes === undefined) start();
      else
        for (const name of new Set([...byNode.keys(), ...late.nodes]))
          look(nodes.objects.get(name));
    },
    stop: async () => {
      timer?.cancel();
      await stop();
      await late.stop();
    },
  };
}

/** A sighting is written once; the next look comes with the next change of node or fault. */
function sightingWriter({ clock, log, book }: NodeWatchOptions) {
  const writing = new Set<string>();
  return (fault: HardwareFault, node: NodeObject) => {
    const { name = "" } = fault.metadata;
    for (const sighting of newSightings(fault, node, clock.nowMs())) {
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
  };
}

/** True from the time that lines may be written: the nodes stay under watch until it is over. */
function isUnderWay(fault: HardwareFault): boolean {
  const { state = "planned" } = fault.status ?? {};
  return fault.spec.action.kind === "xid" && isLive(fault) && state !== "planned";
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
