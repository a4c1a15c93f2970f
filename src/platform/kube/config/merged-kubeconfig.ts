import { dirname, isAbsolute, resolve } from "node:path";
import type { RawCluster, RawContext, RawKubeConfig, RawUser } from "./raw-kubeconfig.ts";

/** An entry of a kubeconfig that remembers its file, because its paths are relative to it. */
export interface Sourced<Entry> {
  readonly file: string;
  readonly name: string;
  readonly entry: Entry;
}

/** Several kubeconfigs as one. */
export interface MergedKubeConfig {
  /** All files, joined as in KUBECONFIG. */
  readonly file: string;
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Sourced<RawCluster>>;
  readonly users: ReadonlyMap<string, Sourced<RawUser>>;
  readonly contexts: ReadonlyMap<string, Sourced<RawContext>>;
}

/** Merges as kubectl does: the first file to name an entry, or the current context, wins. */
export function mergeKubeConfigs(
  files: readonly { readonly file: string; readonly config: RawKubeConfig }[],
): MergedKubeConfig {
  const clusters = new Map<string, Sourced<RawCluster>>();
  const users = new Map<string, Sourced<RawUser>>();
  const contexts = new Map<string, Sourced<RawContext>>();
  let currentContext: string | undefined;
  for (const { file, config } of files) {
    currentContext ??= config["current-context"] || undefined;
    for (const { name, cluster } of config.clusters ?? [])
      keepFirst(clusters, file, name, cluster ?? {});
    for (const { name, user } of config.users ?? []) keepFirst(users, file, name, user ?? {});
    for (const { name, context } of config.contexts ?? [])
      keepFirst(contexts, file, name, context ?? {});
  }
  const file = files.map((each) => each.file).join(":");
  return { file, currentContext, clusters, users, contexts };
}

/** A path written in a kubeconfig, relative to the file it is written in. */
export function pathInKubeConfig(file: string, path: string): string {
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}

function keepFirst<Entry>(
  entries: Map<string, Sourced<Entry>>,
  file: string,
  name: string,
  entry: Entry,
): void {
  if (!entries.has(name)) entries.set(name, { file, name, entry });
}
