import {
  type KubeClient,
  kubeFailureOf,
  listAll,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import { type Clock, retry } from "../../../platform/time/index.ts";
import { isClear, type Marks, type NodeControls } from "../cluster.ts";
import { awaitsAcceptance, isClosedByUs } from "./discovery/project-node.ts";
import { annotationNames, labelNames } from "./labels.ts";
import { clearPatch, tracesOf } from "./node-traces.ts";
import type { NodeObject } from "./objects.ts";

export interface NodeControlsOptions {
  readonly client: KubeClient;
  /** May list nodes. @default `client` */
  readonly reader?: KubeClient;
  /** The cluster's name in the configuration; written on nodes that it closes. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly random: { float(): number };
}

/** A merge patch of a node. */
interface NodePatch {
  readonly metadata?: { readonly labels?: Marks; readonly annotations?: Marks };
  readonly spec?: { readonly unschedulable: boolean | null };
}

const annotationCharsMax = 1_000;

/** What may be changed about the nodes of a Kubernetes cluster. */
export function createNodeControls(options: NodeControlsOptions): NodeControls {
  const { client, reader = client, cluster, clock } = options;
  return {
    mark: async (node, marks) => {
      await client.patch(resourceTypes.nodes, { name: node }, { merge: { metadata: marks } });
    },
    cordon: async (node, reason) => {
      const found = await change(options, node, (current) =>
        cordonPatch(current, reason, { cluster, clock }),
      );
      return !isClosed(found) || isOurs(found);
    },
    uncordon: async (node, reason) => {
      const found = await change(options, node, (current) =>
        isClosed(current) && !isOurs(current) ? undefined : uncordonPatch(current, reason),
      );
      return !isClosed(found) || isOurs(found);
    },
    traces: async () => {
      const project = (node: NodeObject) => tracesOf(node, cluster);
      const { items } = await listAll(reader, resourceTypes.nodes, { project });
      return items.filter((traces) => !isClear(traces));
    },
    clear: async (node) => {
      const found = await change(options, node, (current) =>
        clearPatch(tracesOf(current, cluster)),
      );
      const traces = tracesOf(found, cluster);
      return isClear(traces) ? undefined : traces;
    },
  };
}

function isClosed(node: NodeObject): boolean {
  return node.spec?.unschedulable === true;
}

/** We closed it, or were asked to accept it. */
function isOurs(node: NodeObject): boolean {
  return isClosedByUs(node) || awaitsAcceptance(node);
}

/** What closes a node and says who did and why; undefined when it is closed already. */
export function cordonPatch(
  node: NodeObject,
  reason: string,
  by: { readonly cluster: string; readonly clock: Clock },
): NodePatch | undefined {
  if (isClosed(node)) return undefined;
  return {
    metadata: {
      labels: { [labelNames.awaitsAcceptance]: "true" },
      annotations: {
        [annotationNames.cordonedBy]: by.cluster,
        [annotationNames.cordonReason]: reason.slice(0, annotationCharsMax),
        [annotationNames.cordonedAt]: new Date(by.clock.nowMs()).toISOString(),
      },
    },
    spec: { unschedulable: true },
  };
}

/** What opens a node and takes our marks off it; undefined when there is nothing to do. */
export function uncordonPatch(node: NodeObject, reason: string): NodePatch | undefined {
  const { labels = {}, annotations = {} } = node.metadata;
  const open = !isClosed(node);
  const unmarked =
    labels[labelNames.awaitsAcceptance] === undefined &&
    annotations[annotationNames.cordonedBy] === undefined;
  if (open && unmarked) return undefined;
  return {
    metadata: {
      labels: { [labelNames.awaitsAcceptance]: null },
      annotations: {
        [annotationNames.cordonedBy]: null,
        [annotationNames.cordonedAt]: null,
        [annotationNames.cordonReason]: `released: ${reason}`.slice(0, annotationCharsMax),
      },
    },
    spec: { unschedulable: null },
  };
}

/**
 * Reads a node and patches it as `decide` says, only if nobody changed it in between; else begins
 * again. Returns the node as it was decided upon.
 */
function change(
  { client, clock, random }: NodeControlsOptions,
  name: string,
  decide: (node: NodeObject) => NodePatch | undefined,
): Promise<NodeObject> {
  const attempt = async () => {
    const node = await client.get<NodeObject>(resourceTypes.nodes, { name });
    const patch = decide(node);
    if (patch === undefined) return node;
    const { resourceVersion } = node.metadata;
    const merge = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
    await client.patch(resourceTypes.nodes, { name }, { merge });
    return node;
  };
  return retry(attempt, {
    clock,
    rng: random,
    attemptsMax: 5,
    delayMs: 20,
    delayMsMax: 1_000,
    shouldRetry: (error) => kubeFailureOf(error)?.reason === "Conflict",
  });
}
