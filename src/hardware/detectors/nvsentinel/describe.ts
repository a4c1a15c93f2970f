import { type KubeClient, listAll, type ResourceType } from "../../../platform/kube/index.ts";
import { nvSentinelNames } from "./names.ts";

const workloadTypes = ["deployments", "daemonsets"].map((plural) => ({
  group: "apps",
  version: "v1",
  plural,
  kind: plural === "deployments" ? "Deployment" : "DaemonSet",
  namespaced: true,
})) satisfies readonly ResourceType[];

/** Parts of NVSentinel that matter here, by the names of their Deployments and DaemonSets. */
export const nvSentinelParts = [
  "syslog-health-monitor",
  "gpu-health-monitor",
  "platform-connectors",
  "fault-quarantine",
  "node-drainer",
  "fault-remediation",
  "janitor",
  "health-events-analyzer",
] as const;
export type NvSentinelPart = (typeof nvSentinelParts)[number];

/** What of NVSentinel is installed. Its default installation only monitors. */
export interface NvSentinelFound {
  readonly namespace: string;
  /** Empty: it is not installed there. */
  readonly parts: readonly NvSentinelPart[];
}

/** Looks which parts of NVSentinel run in a namespace. An API that cannot be asked is an error. */
export async function describeNvSentinel(
  client: KubeClient,
  options: { readonly namespace?: string; readonly signal?: AbortSignal } = {},
): Promise<NvSentinelFound> {
  const { namespace = nvSentinelNames.namespace, signal } = options;
  const names: string[] = [];
  for (const type of workloadTypes) {
    const { items } = await listAll<string>(client, type, {
      namespace,
      itemsMax: 1_000,
      project: ({ metadata }) => metadata.name ?? "",
      ...(signal === undefined ? {} : { signal }),
    });
    names.push(...items);
  }
  return { namespace, parts: nvSentinelParts.filter((part) => names.some(isPart(part))) };
}

/** `syslog-health-monitor-regular`, `nvsentinel-janitor`; a janitor-provider is no janitor. */
function isPart(part: string): (name: string) => boolean {
  return (name) =>
    new RegExp(`(?:^|-)${part}(?:$|-)`).test(name) && !/(?:^|-)janitor-provider(?:$|-)/.test(name);
}
