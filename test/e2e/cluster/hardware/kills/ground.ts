import type { KubeClient } from "../../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import type { Installation } from "../support/installation.ts";
import type { Fleet } from "./fleet.ts";

/** What all rounds share. */
export interface Ground {
  readonly cluster: Cluster;
  readonly client: KubeClient;
  readonly installation: Installation;
  readonly fleet: Fleet;
  /** For whatever a round writes. */
  readonly folder: string;
  readonly nodes: readonly string[];
}
