import { marks } from "../objects/index.ts";

/** How Tessera's hardware faults are installed. */
export interface HardwareManifestOptions {
  /** The image of all three programs: Node, Tessera as one file, and the built shim. */
  readonly image: string;
  /** Where they are installed, and where faults are kept. @default "tessera-hardware" */
  readonly namespace?: string;
  /** Where workloads may be tested. They must exist, and bear the opt-in label besides. */
  readonly namespacesUnderTest: readonly string[];
  /** What our own detector does about a fatal XID; off where another is installed. @default "off" */
  readonly detector?: "off" | "condition" | "cordon" | "drain";
  /** Where agents run. @default nodes with the opt-in label */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Resources of controllers whose pod templates may be changed. @default none */
  readonly customWorkloads?: readonly { readonly group: string; readonly plural: string }[];
  /** Further arguments of `tessera fault-api`: limits. @default none */
  readonly faultApiArgs?: readonly string[];
}

/** All options, with their defaults. */
export type ManifestSettings = Required<HardwareManifestOptions>;

export const namespaceDefault = "tessera-hardware";

export function settingsOf(options: HardwareManifestOptions): ManifestSettings {
  return {
    namespace: namespaceDefault,
    detector: "off",
    nodeSelector: { [marks.nodeOptIn]: marks.optInValue },
    customWorkloads: [],
    faultApiArgs: [],
    ...options,
  };
}

/** The names of the parts, their service accounts and their roles. */
export const partNames = {
  api: "tessera-fault-api",
  agent: "tessera-agent",
  kmsg: "tessera-kmsg-device",
} as const;

/** Labels of everything that is installed. */
export function labelsOf(part?: string): Readonly<Record<string, string>> {
  const common = { "app.kubernetes.io/part-of": "tessera-hardware" };
  return part === undefined ? common : { ...common, "app.kubernetes.io/name": part };
}
