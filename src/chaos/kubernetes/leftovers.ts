import {
  type KubeClient,
  kubeFailureOf,
  listAll,
  resourceTypes,
} from "../../platform/kube/index.ts";
import { marks, type NodeObject, networkPolicies, type PodObject } from "./objects.ts";
import { deletePolicy, restoreCordon, unmarkPods } from "./undo.ts";

/** Something in the cluster that bears the mark of a run. */
export interface Leftover {
  readonly kind: "node" | "policy" | "pod";
  readonly name: string;
  readonly run: string;
  /** 0 where nobody said. */
  readonly leaseUntilMs: number;
  takeBack(): Promise<void>;
}

/** All that bears the mark of a run, as the cluster has it now: the look that no ledger can fool. */
export async function findLeftovers(
  client: KubeClient,
  namespace: string,
): Promise<readonly Leftover[]> {
  const [nodes, policies, pods] = await Promise.all([
    markedNodes(client),
    markedPolicies(client, namespace),
    markedPods(client, namespace),
  ]);
  return [...nodes, ...policies, ...pods];
}

/** Takes back what runs left whose lease is over. @returns what was taken back, each in a few words */
export async function clearLeftovers(
  client: KubeClient,
  namespace: string,
  nowMs: number,
): Promise<readonly string[]> {
  const all = await findLeftovers(client, namespace);
  const heldRuns = new Set(
    all.filter(({ leaseUntilMs }) => leaseUntilMs > nowMs).map(({ run }) => run),
  );
  const old = all.filter(({ run }) => !heldRuns.has(run));
  for (const one of old) await one.takeBack();
  return old.map(({ kind, name, run }) => `${kind} ${name} of run ${run}`);
}

async function markedNodes(client: KubeClient): Promise<readonly Leftover[]> {
  const items = await listOrNone<NodeObject>(client, { type: resourceTypes.nodes });
  return items.flatMap(({ metadata }) => {
    const { name: node = "", annotations = {} } = metadata;
    const run = annotations[marks.run];
    if (run === undefined) return [];
    const wasUnschedulable = annotations[marks.wasUnschedulable] === "true";
    const takeBack = () => restoreCordon(client, { node, run, wasUnschedulable });
    return [
      { kind: "node" as const, name: node, run, leaseUntilMs: leaseOf(annotations), takeBack },
    ];
  });
}

async function markedPolicies(client: KubeClient, namespace: string): Promise<readonly Leftover[]> {
  const labelSelector = marks.run;
  const items = await listOrNone(client, { type: networkPolicies, namespace, labelSelector });
  return items.map(({ metadata }) => {
    const { name = "", labels = {}, annotations = {} } = metadata;
    const takeBack = () => deletePolicy(client, { namespace, name, pods: [] });
    const run = labels[marks.run] ?? "";
    return { kind: "policy" as const, name, run, leaseUntilMs: leaseOf(annotations), takeBack };
  });
}

/** A label that is left on a pod does nothing by itself, and goes with its policy. */
async function markedPods(client: KubeClient, namespace: string): Promise<readonly Leftover[]> {
  const labelSelector = marks.cut;
  const items = await listOrNone<PodObject>(client, {
    type: resourceTypes.pods,
    namespace,
    labelSelector,
  });
  return items.map(({ metadata }) => {
    const { name = "", labels = {} } = metadata;
    const takeBack = () => unmarkPods(client, namespace, [name]);
    return { kind: "pod" as const, name, run: labels[marks.cut] ?? "", leaseUntilMs: 0, takeBack };
  });
}

/** Where we may not look we could not have broken anything. */
async function listOrNone<T extends PodObject | NodeObject>(
  client: KubeClient,
  {
    type,
    ...selection
  }: {
    readonly type: Parameters<typeof listAll>[1];
    readonly namespace?: string;
    readonly labelSelector?: string;
  },
): Promise<readonly T[]> {
  try {
    const { items } = await listAll<T, T>(client, type, { ...selection, project: (one) => one });
    return items;
  } catch (error) {
    if (kubeFailureOf(error)?.status === 403) return [];
    throw error;
  }
}

function leaseOf(annotations: Readonly<Record<string, string>>): number {
  const untilMs = Number(annotations[marks.leaseUntil] ?? 0);
  return Number.isFinite(untilMs) ? untilMs : 0;
}
