import { TesseraError } from "../../errors/index.ts";
import type { Clock } from "../../time/clock.ts";
import { anonymousCredentials } from "../credentials/credentials.ts";
import { codeOf, readSmallFile } from "./data-or-file.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import { invalidKubeConfig } from "./invalid.ts";
import type { KubeConfig } from "./kube-config.ts";
import { type KubeConfigPaths, kubeConfigPaths } from "./kubeconfig-paths.ts";
import { type MergedKubeConfig, mergeKubeConfigs, type Sourced } from "./merged-kubeconfig.ts";
import { parseKubeConfig, type RawCluster, type RawContext } from "./raw-kubeconfig.ts";
import { resolveCluster } from "./resolve-cluster.ts";
import { impersonationHeaders, resolveUser } from "./resolve-user.ts";

export interface LoadKubeConfigOptions {
  /** One kubeconfig file. Without it: KUBECONFIG, then `~/.kube/config`, then the pod's account. */
  readonly path?: string | undefined;
  /** Without it: the kubeconfig's current context. */
  readonly context?: string | undefined;
  /** Without it: the context's own, then `default`. */
  readonly namespace?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccountDir?: string;
}

/** The extension of a cluster entry that is handed to exec plug-ins. */
const execExtension = "client.authentication.k8s.io/exec";

/**
 * Finds, reads and checks the connection to a cluster. Makes no request. Throws
 * E_KUBECONFIG_MISSING when nothing is configured and E_KUBECONFIG_INVALID naming file and field
 * when what is configured cannot be used.
 */
export async function loadKubeConfig(options: LoadKubeConfigOptions): Promise<KubeConfig> {
  const chosen = kubeConfigPaths(options);
  const merged = mergeKubeConfigs(await readAll(chosen));
  const empty = merged.contexts.size === 0 && merged.clusters.size === 0;
  if (!empty) return resolve(merged, options);
  if (chosen.chosenBy !== "path" && isInCluster(options.env)) return inClusterConfig(options);
  const found = merged.file === "" ? "does not exist" : "names no cluster";
  throw new TesseraError("E_KUBECONFIG_MISSING", { problem: `${chosen.paths.join(":")} ${found}` });
}

async function readAll({ paths }: KubeConfigPaths) {
  const files = [];
  for (const file of paths) {
    const content = await readSmallFile(file).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw invalidKubeConfig({ file, field: "file" }, `cannot be read (${codeOf(error)})`);
    });
    if (content !== undefined) files.push({ file, config: parseKubeConfig(content, file) });
  }
  return files;
}

async function resolve(
  merged: MergedKubeConfig,
  options: LoadKubeConfigOptions,
): Promise<KubeConfig> {
  const context = contextOf(merged, options.context);
  const cluster = lookUp(merged, "cluster", context);
  const user = context.entry.user ? lookUp(merged, "user", context) : undefined;
  const clusterPart = await resolveCluster(cluster, options.env);
  const clusterInfo = execClusterInfo(cluster.entry, clusterPart.tls.caPem);
  return {
    ...clusterPart,
    source: merged.file,
    context: context.name,
    namespace: options.namespace ?? (context.entry.namespace || "default"),
    credentials:
      user === undefined
        ? anonymousCredentials
        : await resolveUser(user, { env: options.env, clock: options.clock, clusterInfo }),
    headers: user === undefined ? {} : impersonationHeaders(user.entry),
  };
}

function contextOf(merged: MergedKubeConfig, wanted: string | undefined): Sourced<RawContext> {
  const name = wanted ?? merged.currentContext;
  const { file } = merged;
  if (name === undefined) {
    const problem = `not set, and no context was chosen (there are: ${names(merged.contexts)})`;
    throw invalidKubeConfig({ file, field: "current-context" }, problem);
  }
  const context = merged.contexts.get(name);
  if (context !== undefined) return context;
  const problem = `no context is named "${name}" (there are: ${names(merged.contexts)})`;
  throw invalidKubeConfig(
    { file, field: wanted === undefined ? "current-context" : "contexts" },
    problem,
  );
}

function lookUp<Kind extends "cluster" | "user">(
  merged: MergedKubeConfig,
  kind: Kind,
  context: Sourced<RawContext>,
) {
  const entries = kind === "cluster" ? merged.clusters : merged.users;
  const name = context.entry[kind];
  const where = { file: context.file, field: `contexts[${context.name}].${kind}` };
  if (!name) throw invalidKubeConfig(where, "missing");
  const entry = entries.get(name);
  if (entry === undefined)
    throw invalidKubeConfig(where, `no ${kind} is named "${name}" (there are: ${names(entries)})`);
  return entry as Kind extends "cluster"
    ? Sourced<RawCluster>
    : NonNullable<ReturnType<MergedKubeConfig["users"]["get"]>>;
}

/** The cluster as the plug-in protocol describes it. */
function execClusterInfo(cluster: RawCluster, caPem: string | undefined): Record<string, unknown> {
  const config = cluster.extensions?.find(({ name }) => name === execExtension)?.extension;
  const info = {
    server: cluster.server,
    "tls-server-name": cluster["tls-server-name"],
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"],
    "certificate-authority-data":
      caPem === undefined ? undefined : Buffer.from(caPem).toString("base64"),
    "proxy-url": cluster["proxy-url"],
    config,
  };
  return Object.fromEntries(
    Object.entries(info).filter(([, value]) => value !== undefined && value !== null),
  );
}

function names(entries: ReadonlyMap<string, unknown>): string {
  return [...entries.keys()].slice(0, 10).join(", ") || "none";
}
