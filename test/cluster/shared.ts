import { describe, inject } from "vitest";
import { type Cluster, openCluster } from "./fixture.ts";
import { clusterAvailability } from "./machine/availability.ts";
import type { ClusterShape } from "./registry/record.ts";

/** What global-setup.ts tells the suites about the cluster they share. */
export type SharedCluster =
  | {
      readonly running: true;
      readonly name: string;
      readonly kubeconfigPath: string;
      readonly serverUrl: string;
    }
  | { readonly running: false; readonly reason: string };

declare module "vitest" {
  interface ProvidedContext {
    cluster: SharedCluster;
  }
}

/** The cluster that all suites share. Do not break it: other suites look at it. */
export function sharedCluster(): Cluster {
  const shared = inject("cluster");
  if (!shared.running) throw new Error(`there is no shared cluster: ${shared.reason}`);
  return openCluster(shared.name);
}

/**
 * `describe` for suites that need a cluster of this shape (default: the control plane). Skipped,
 * with the reason in its title, where the machine cannot run one.
 */
export function describeCluster(
  title: string,
  suite: () => void,
  shape: Partial<ClusterShape> = {},
): void {
  const availability = clusterAvailability(shape);
  if (availability.ok) describe(title, suite);
  else describe.skip(`${title} (skipped: missing ${availability.missing.join(", ")})`, suite);
}
