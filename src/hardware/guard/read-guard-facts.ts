import { messageOf } from "../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
  type KubeObject,
  listAll,
  type ResourceType,
  resourceTypes,
} from "../../platform/kube/index.ts";
import { describeNvSentinel, nvSentinelNames } from "../detectors/index.ts";
import {
  type HardwareFault,
  hardwareFaults,
  type NodeObject,
  nodeOf,
  type PodObject,
} from "../objects/index.ts";
import type {
  GuardBudget,
  GuardFacts,
  GuardNamespace,
  GuardRequest,
  Known,
  LabelSelector,
} from "./guard-facts.ts";
import { guardNode, guardPod } from "./project.ts";

const budgetType = {
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
} as const satisfies ResourceType;

const daemonSets = {
  group: "apps",
  version: "v1",
  plural: "daemonsets",
  kind: "DaemonSet",
  namespaced: true,
} as const satisfies ResourceType;

interface BudgetObject extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number };
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ReadGuardFactsOptions {
  /** Of the installation: where the faults are kept. */
  readonly namespace: string;
  /** @default "nvsentinel" */
  readonly nvSentinelNamespace?: string;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** Asks the cluster for all that the rules need, in nine lists and gets. What fails is a fact too. */
export async function readGuardFacts(
  client: KubeClient,
  request: GuardRequest,
  options: ReadGuardFactsOptions,
): Promise<GuardFacts> {
  const { nowMs } = options;
  const [nodes, namespace, pods, budgets, faults, breaker, nvsentinel, otherDetectors] =
    await Promise.all([
      asKnown(listNodes(client, options)),
      asKnown(readNamespace(client, request.namespace, options)),
      asKnown(listPods(client, request, options)),
      asKnown(listBudgets(client, options)),
      asKnown(listFaults(client, options)),
      asKnown(readBreaker(client, options)),
      asKnown(describeNvSentinel(client, within(options))),
      asKnown(findOtherDetectors(client, options)),
    ]);
  options.signal?.throwIfAborted();
  return {
    nowMs,
    nodes,
    namespace,
    pods,
    budgets,
    faults,
    breaker,
    nvsentinel,
    otherDetectors,
  };
}

async function asKnown<T>(asked: Promise<T>): Promise<Known<T>> {
  try {
    return { known: true, value: await asked };
  } catch (error) {
    return { known: false, problem: messageOf(error) };
  }
}

type Options = ReadGuardFactsOptions;

async function listNodes(client: KubeClient, options: Options) {
  const { items } = await listAll(client, resourceTypes.nodes, {
    ...call(options),
    itemsMax: 100_000,
    project: (node: NodeObject) => guardNode(node, options.nowMs),
  });
  return items;
}

async function readNamespace(
  client: KubeClient,
  name: string,
  options: Options,
): Promise<GuardNamespace | null> {
  try {
    const { metadata } = await client.get(resourceTypes.namespaces, { name }, call(options));
    return { name, labels: metadata.labels ?? {} };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function listPods(client: KubeClient, { action }: GuardRequest, options: Options) {
  const node = nodeOf(action);
  if (node === undefined) return [];
  const { items } = await listAll(client, resourceTypes.pods, {
    ...call(options),
    fieldSelector: `spec.nodeName=${node}`,
    itemsMax: 10_000,
    project: (pod: PodObject) => ({ pod: guardPod(pod), node: pod.spec?.nodeName }),
  });
  return items.filter((each) => each.node === node).map(({ pod }) => pod);
}

async function listBudgets(client: KubeClient, options: Options): Promise<readonly GuardBudget[]> {
  const { items } = await listAll(client, budgetType, {
    ...call(options),
    itemsMax: 10_000,
    project: ({ metadata, spec, status }: BudgetObject): GuardBudget => ({
      namespace: metadata.namespace ?? "",
      name: metadata.name ?? "",
      // A budget that nobody has worked out yet allows nothing.
      disruptionsAllowed: status?.disruptionsAllowed ?? 0,
      ...(spec?.selector === undefined ? {} : { selector: spec.selector }),
    }),
  });
  return items;
}

async function listFaults(client: KubeClient, options: Options) {
  const { items } = await listAll(client, hardwareFaults, {
    ...call(options),
    namespace: options.namespace,
    itemsMax: 50_000,
    project: (fault: HardwareFault) => fault,
  });
  return items;
}

async function readBreaker(
  client: KubeClient,
  options: Options,
): Promise<"CLOSED" | "TRIPPED" | "absent"> {
  const { namespace } = within(options);
  const ref = { namespace, name: nvSentinelNames.breakerConfigMap };
  try {
    const { data } = await client.get<ConfigMap>(resourceTypes.configMaps, ref, call(options));
    return data?.["status"] === "TRIPPED" ? "TRIPPED" : "CLOSED";
  } catch (error) {
    if (isNotFound(error)) return "absent";
    throw error;
  }
}

async function findOtherDetectors(client: KubeClient, options: Options) {
  const { items: names } = await listAll(client, daemonSets, {
    ...call(options),
    itemsMax: 10_000,
    project: ({ metadata }: KubeObject) => metadata.name ?? "",
  });
  const has = (word: string) =>
    names.some((name) => new RegExp(`(?:^|-)${word}(?:$|-)`).test(name));
  return { gpud: has("gpud"), dcgm: has("dcgm") };
}

function within({ nvSentinelNamespace, signal }: Options) {
  const namespace = nvSentinelNamespace ?? nvSentinelNames.namespace;
  return { namespace, ...(signal === undefined ? {} : { signal }) };
}

function call({ signal }: Options) {
  return signal === undefined ? {} : { signal };
}
