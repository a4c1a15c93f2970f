import { isDeepStrictEqual } from "node:util";
import { detectorKeys } from "../../../../../src/hardware/detectors/index.ts";
import {
  type HardwareFault,
  hardwareFaults,
  type NodeObject,
  parseHardwareFault,
} from "../../../../../src/hardware/objects/index.ts";
import { workloadType } from "../../../../../src/hardware/workload/index.ts";
import {
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import { underTest } from "../support/installation.ts";
import { taintsOf } from "../support/node-taints.ts";

/** Where somebody else's labels and annotations are. */
export const someone = "someone.example/";

/** What a test may change, of the cluster and of nothing else. */
export interface Surface {
  readonly nodes: Readonly<Record<string, NodeSurface>>;
  readonly workload: WorkloadSurface;
}

export interface NodeSurface {
  readonly unschedulable: boolean;
  /** Without the one that Kubernetes adds to a closed node some time later. */
  readonly taints: readonly unknown[];
  readonly labels: Readonly<Record<string, string>>;
  /** Detectors' and somebody else's. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Those of detectors that say that something is wrong. */
  readonly conditions: readonly string[];
}

export interface WorkloadSurface {
  readonly spec: DeploymentSpec;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface DeploymentSpec {
  readonly replicas?: number;
  readonly template: {
    readonly spec: { readonly containers: readonly Container[] };
  };
}

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

export interface Deployment extends KubeObject {
  readonly spec: DeploymentSpec;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** What is tested. */
export const workload = { namespace: underTest, name: "server", kind: "deployment" } as const;
export const deployments = workloadType(workload);

/** Of the Deployment's controller, which counts. */
const revision = "deployment.kubernetes.io/revision";

/** Reads all of it. */
export async function readSurface(client: KubeClient, names: readonly string[]): Promise<Surface> {
  const [deployment, ...nodes] = await Promise.all([
    client.get<Deployment>(deployments, workload),
    ...names.map((name) => client.get<NodeObject>(resourceTypes.nodes, { name })),
  ]);
  const { labels = {}, annotations = {} } = deployment.metadata;
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.metadata.name ?? "", nodeSurface(node)])),
    workload: {
      spec: deployment.spec,
      labels,
      annotations: only(annotations, (key) => key !== revision),
    },
  };
}

function nodeSurface(node: NodeObject): NodeSurface {
  const { metadata, spec, status } = node;
  const { labels = {}, annotations = {} } = metadata;
  const [notes, types]: readonly (readonly string[])[] = [
    detectorKeys.annotations,
    detectorKeys.conditions,
  ];
  const wrong = (status?.conditions ?? []).filter(
    (condition) => condition.status !== "False" && types?.includes(condition.type) === true,
  );
  return {
    unschedulable: spec?.unschedulable === true,
    taints: taintsOf(node),
    labels,
    annotations: only(
      annotations,
      (key) => notes?.includes(key) === true || key.startsWith(someone),
    ),
    conditions: wrong.map(({ type }) => type),
  };
}

/** Where two differ, in words. */
export function differences(wanted: Surface, found: Surface): readonly string[] {
  const parts = [
    ...Object.entries(wanted.nodes).map(([name, node]) => [name, node, found.nodes[name]] as const),
    ["the workload", wanted.workload, found.workload] as const,
  ];
  return parts.flatMap(([name, one, other]) => {
    if (isDeepStrictEqual(one, other)) return [];
    const fields = new Map(Object.entries(other ?? {}));
    const changed = Object.entries(one).filter(
      ([key, value]) => !isDeepStrictEqual(value, fields.get(key)),
    );
    return changed.map(
      ([key, value]) =>
        `${key} of ${name} is ${JSON.stringify(fields.get(key))}, not ${JSON.stringify(value)}`,
    );
  });
}

/** The faults of a test, or all. */
export async function faultsOf(
  client: KubeClient,
  run?: string,
): Promise<readonly HardwareFault[]> {
  const { items } = await listAll(client, hardwareFaults, {
    namespace: "tessera-hardware",
    project: (object) => parseHardwareFault(object),
  });
  return items.filter(({ spec }) => run === undefined || spec.run === run);
}

function only(
  values: Readonly<Record<string, string>>,
  isWanted: (key: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
}
