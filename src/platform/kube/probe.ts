import type { Finding, Probe, ProbeContext } from "../doctor/finding.ts";
import { toTesseraError } from "../errors/index.ts";
import { createRng } from "../rng/index.ts";
import { type Right, type RightFound, reviewAccess, rightName } from "./access-review.ts";
import { createKubeClient, type KubeClient } from "./client.ts";
import { loadKubeConfig } from "./config/load-kubeconfig.ts";
import { listNodes, type NodeSummary } from "./node-list.ts";
import { resourceTypes } from "./resource-type.ts";

/** The part of the configuration that says which cluster. */
export interface KubernetesProbeOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The doctor does not wait for servers that take their time. */
const callOptions = { timeoutMs: 8_000, retryForMs: 0 } as const;

/** What the rooms do with a cluster, and so what the doctor asks for. */
export function rightsNeeded(namespace: string): readonly Right[] {
  const { nodes, pods, jobs, leases } = resourceTypes;
  return [
    { verb: "list", type: nodes },
    { verb: "watch", type: nodes },
    { verb: "patch", type: nodes },
    { verb: "list", type: pods },
    { verb: "watch", type: pods },
    { verb: "get", type: pods, subresource: "log", namespace },
    { verb: "create", type: pods, subresource: "eviction" },
    { verb: "create", type: jobs, namespace },
    { verb: "delete", type: jobs, namespace },
    { verb: "create", type: leases, namespace },
    { verb: "update", type: leases, namespace },
  ];
}

/** The doctor's question about Kubernetes: reachable, which version, what are we allowed to do? */
export function kubernetesProbe(options: KubernetesProbeOptions = {}): Probe {
  return {
    id: "kubernetes",
    title: "Kubernetes",
    required: false,
    neededFor: "validating and breaking the nodes of a cluster",
    find: (context) => find(options, context).catch((error: unknown) => failure(error)),
  };
}

async function find(options: KubernetesProbeOptions, context: ProbeContext): Promise<Finding> {
  const { env, clock, signal } = context;
  const config = await loadKubeConfig({
    path: options.kubeconfig,
    context: options.context,
    namespace: options.namespace,
    env,
    clock,
  });
  const random = createRng(clock.nowMs()).stream("kubernetes probe");
  const client = createKubeClient({ config, clock, random });
  try {
    return await examine(client, signal);
  } finally {
    client.close();
  }
}

async function examine(client: KubeClient, signal: AbortSignal): Promise<Finding> {
  const { config } = client;
  const call = { ...callOptions, signal };
  const { gitVersion = "of unknown version" } = await client.getJson<{ gitVersion?: string }>(
    "/version",
    call,
  );
  const rights = await reviewAccess(client, rightsNeeded(config.namespace), call);
  const nodes = mayList(rights) ? countsOf(await listNodes(client, call)) : undefined;
  const evidence = {
    context: config.context,
    server: config.server.host,
    source: config.source,
    login: config.credentials.kind,
    namespace: config.namespace,
    version: gitVersion,
    rights: Object.fromEntries(rights.map((right) => [rightName(right), right.allowed])),
    ...nodes,
  };
  const seen = nodes === undefined ? "" : `, ${nodes.nodes} nodes with ${nodes.gpus} GPUs`;
  const reached = `Kubernetes ${gitVersion} answers in context ${config.context}${seen}`;
  const denied = rights.filter((right) => !right.allowed).map(rightName);
  if (denied.length === 0) return { state: "works", reason: `${reached}.`, evidence };
  return {
    state: "limited",
    reason: `${reached}, but this user may not: ${denied.join("; ")}.`,
    hint: "Ask for a role with these rights, or use Tessera for what the others allow.",
    evidence,
  };
}

/** Without the right, asking would only fail. */
function mayList(rights: readonly RightFound[]): boolean {
  return rights.some(
    ({ verb, type, allowed }) => verb === "list" && type === resourceTypes.nodes && allowed,
  );
}

function countsOf(nodes: readonly NodeSummary[]): {
  readonly nodes: number;
  readonly gpus: number;
} {
  return { nodes: nodes.length, gpus: nodes.reduce((sum, node) => sum + node.gpus, 0) };
}

function failure(thrown: unknown): Finding {
  const error = toTesseraError(thrown);
  const missing = error.code === "E_KUBECONFIG_MISSING";
  return {
    state: missing ? "missing" : "unknown",
    reason: error.message,
    hint: error.hint,
    evidence: { code: error.code },
  };
}
