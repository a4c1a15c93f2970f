import type { Config } from "../../platform/config/index.ts";
import { type KubeClient, loadKubeConfig } from "../../platform/kube/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Rng } from "../../platform/rng/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { plugInKey } from "../checks/index.ts";
import {
  type ClusterEntry,
  resolveClusterPlaces,
  resolveValidationSettings,
} from "../resolve-settings.ts";
import type { HandInWay, RunResult } from "../run.ts";
import type { Cluster } from "./cluster.ts";
import {
  connectByRole,
  createKubernetesCluster,
  type KubernetesSettings,
  readTemplate,
} from "./kubernetes/index.ts";
import { createLocalCluster } from "./local/index.ts";
import { createSimulatedCluster, type SimulatedTruth } from "./simulated/index.ts";
import { openSlurm } from "./slurm/index.ts";

export interface OpenClusterDeps {
  readonly config: Pick<Config, "validation" | "kubernetes" | "slurm">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This machine's time; a simulated cluster makes its own from it. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly rng: Rng;
  /** The command that starts this CLI, for checks on this machine. */
  readonly command: readonly [file: string, ...args: string[]];
  /** From `ensureRunSecret`: whose store it is tells our jobs in a cluster from another Tessera's. */
  readonly secret: string;
  /** Takes the results of a simulated cluster, whose jobs have no network. Must not throw. */
  readonly onResult: (result: RunResult, way: HandInWay) => void;
  /** The newest time on record of a simulated cluster: it goes on from there. @default now */
  readonly newestRecordMs?: number | undefined;
}

/** A cluster, and what belongs to it. */
export interface OpenedCluster {
  readonly cluster: Cluster;
  /** What it is, for people: `this machine`, `128 nodes x 8 GPUs`. */
  readonly about: string;
  /** How many times faster than real its time runs; 1 for all but simulated ones. */
  readonly speed: number;
  /** The hidden defects; undefined where nobody knows them. */
  readonly truth: (() => readonly SimulatedTruth[]) | undefined;
  /** Makes a client of its own, for leadership by Lease; undefined where there is no Kubernetes. */
  readonly connect: (() => KubeClient) | undefined;
  /** Stops looking and lets go of connections. Jobs go on. */
  close(): Promise<void>;
}

/** A day passes in two and a half minutes: fast enough to see something, slow enough to follow. */
export const simulatedSpeedDefault = 600;

/**
 * Makes the cluster of an entry of `validation.clusters`; `start` is the caller's to call.
 *
 * @throws E_KUBECONFIG and its neighbours, E_TEMPLATE_INVALID, E_FILE_READ, E_CHECK_UNKNOWN.
 */
export async function openCluster(
  entry: ClusterEntry,
  deps: OpenClusterDeps,
): Promise<OpenedCluster> {
  switch (entry.kind) {
    case "kubernetes":
      return await openKubernetes(entry, deps);
    case "local":
      return openLocal(entry, deps);
    case "simulated":
      return openSimulated(entry, deps);
    case "slurm":
      return openSlurm(entry, deps);
  }
}

function openLocal(entry: ClusterEntry, deps: OpenClusterDeps): OpenedCluster {
  const { config, clock, log, command } = deps;
  const checks = resolveValidationSettings(config, entry.name).checks;
  const cluster = createLocalCluster({
    name: entry.name,
    clock,
    log,
    resultDir: resolveClusterPlaces(config, entry.name).resultsDir,
    command,
    ownChecks: Object.fromEntries(
      checks
        .filter(
          ({ options }) => options["command"] !== undefined || options[plugInKey] !== undefined,
        )
        .map(({ name, options }) => [name, options]),
    ),
  });
  const close = () => cluster.stop();
  return { cluster, about: "this machine", speed: 1, truth: undefined, connect: undefined, close };
}

function openSimulated(
  entry: ClusterEntry & { readonly kind: "simulated" },
  deps: OpenClusterDeps,
): OpenedCluster {
  const { nodes = 128, gpusPerNode = 8, speed = simulatedSpeedDefault } = entry;
  const nowMs = deps.clock.nowMs();
  const checks = resolveValidationSettings(deps.config, entry.name).checks;
  const cluster = createSimulatedCluster({
    name: entry.name,
    seed: entry.seed ?? entry.name,
    nodes,
    gpusPerNode,
    speed,
    baseClock: deps.clock,
    // Time must not repeat itself: the next world begins after everything on record.
    startAtMs: Math.max(nowMs, (deps.newestRecordMs ?? nowMs) + 1),
    checkMinutes: Object.fromEntries(checks.map(({ name, minutes }) => [name, minutes])),
    onResult: deps.onResult,
  });
  return {
    cluster,
    about: `${nodes} nodes x ${gpusPerNode} GPUs`,
    speed,
    truth: () => cluster.truth(),
    connect: undefined,
    close: () => cluster.stop(),
  };
}

async function openKubernetes(
  entry: ClusterEntry & { readonly kind: "kubernetes" },
  deps: OpenClusterDeps,
): Promise<OpenedCluster> {
  const { config, env, clock, log, rng } = deps;
  const shared = config.kubernetes;
  const kubeConfig = await loadKubeConfig({
    path: entry.kubeconfig ?? shared.kubeconfig,
    context: entry.context ?? shared.context,
    namespace: entry.namespace ?? shared.namespace,
    env,
    clock,
  });
  const settings = await kubernetesSettings(entry, deps);
  const random = rng.stream(`cluster/${entry.name}`);
  const {
    client,
    clientOf,
    connect,
    close: disconnect,
  } = connectByRole(kubeConfig, entry.actAs, {
    clock,
    random,
  });
  try {
    const cluster = createKubernetesCluster({
      name: entry.name,
      client,
      clientOf,
      clock,
      random,
      log,
      settings,
    });
    const close = async () => {
      await cluster.stop();
      disconnect();
    };
    const about = `Kubernetes, context ${kubeConfig.context}`;
    return { cluster, about, speed: 1, truth: undefined, connect, close };
  } catch (error) {
    disconnect();
    throw error;
  }
}

/** What an entry says, in the words of that kind of cluster; what it does not say stays open. */
async function kubernetesSettings(
  entry: ClusterEntry & { readonly kind: "kubernetes" },
  { config }: OpenClusterDeps,
): Promise<KubernetesSettings> {
  const { template: file } = resolveClusterPlaces(config, entry.name);
  const template = file === undefined ? undefined : await readTemplate(file);
  const settings = resolveValidationSettings(config, entry.name);
  const { image, scheduler, rackLabel, skuLabel, results } = entry;
  return {
    image,
    checks: settings.checks.map(({ name }) => name),
    ...definedOf({
      namespace: entry.namespace,
      queue: entry.queue,
      imagePullPolicy: entry.imagePullPolicy,
      imagePullSecrets: entry.imagePullSecrets,
      command: entry.command,
      tolerations: entry.tolerations?.map(definedOf),
      crashSigns: entry.crashSigns,
      gpuResource: entry.gpuResource,
      nodeSelector: entry.nodeSelector,
      excludedNodes: entry.excludedNodes,
      cpu: entry.cpu,
      memory: entry.memory,
      shmSize: entry.shmSize,
      rdma: entry.rdma,
      priorityClass: entry.priorityClass,
      runtimeClass: entry.runtimeClass,
      serviceAccount: entry.serviceAccount,
      runAsUser: entry.runAsUser,
      ownedByLease: entry.ownedByLease,
      jobKind: scheduler,
      rackLabels: rackLabel === undefined ? undefined : [rackLabel],
      skuLabels: skuLabel === undefined ? undefined : [skuLabel],
      template,
      results: results === undefined ? undefined : volumeOf(results),
    }),
  };
}

const mountPath = "/mnt/continuous_validation";

function volumeOf(
  results: { readonly pvc: string } | { readonly hostPath: string },
): NonNullable<KubernetesSettings["results"]> {
  return "pvc" in results
    ? { kind: "claim", claimName: results.pvc, mountPath }
    : { kind: "host-path", path: results.hostPath, mountPath };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The object without what is undefined. */
function definedOf<T extends object>(values: T): Defined<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
