import type { ClusterShape } from "../registry/record.ts";

/** The file descriptor on which a supervisor has its lifeline. */
export const lifelineFd = 3;

/** Everything a supervisor needs to know; it looks nothing up outside its namespaces. */
export interface SupervisorConfig {
  readonly folder: string;
  readonly name: string;
  readonly shape: ClusterShape;
  readonly hostAddress: string;
  readonly clusterAddress: string;
  /** Full paths of programs by name: `kube-apiserver`, `etcd`, `runc`, ... */
  readonly programs: Readonly<Record<string, string>>;
  /** PATH for the components. */
  readonly path: string;
  readonly cniFolder: string;
  /** Folder with Volcano's CRDs; empty without Volcano. */
  readonly volcanoCrds: string;
  /** Docker archives to load on every real node, the pause image first. */
  readonly imageArchives: readonly string[];
  /** Further arguments by component name, for tests that need a component set up differently. */
  readonly extraArgs: Readonly<Record<string, readonly string[]>>;
  /** Further lines of slurm.conf. */
  readonly slurmConf: readonly string[];
}

/** What the starter says to the supervisor. Silence (a closed lifeline) means: die. */
export type ToSupervisor =
  | { readonly type: "start"; readonly config: SupervisorConfig }
  /** From now on the end of the starter is not the end of the cluster. */
  | { readonly type: "detach" };

/** What the supervisor says to its starter. */
export type FromSupervisor =
  | { readonly type: "hello" }
  | { readonly type: "progress"; readonly text: string }
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly message: string };

export type ComponentState = "stopped" | "starting" | "running" | "failed";

export interface ComponentStatus {
  readonly name: string;
  readonly state: ComponentState;
  /** Whether its own health check passes now. */
  readonly healthy: boolean;
  /** Inside the cluster's pid namespace. */
  readonly pid?: number;
  /** How often it was started again after it ended on its own. */
  readonly restarts: number;
  /** How it ended last, in words. */
  readonly lastExit?: string;
}

/** Requests on the control socket: a line of JSON each way per connection. */
export type ControlRequest =
  /** From now on the end of this connection is the end of the cluster. */
  | { readonly op: "adopt" }
  | { readonly op: "status" }
  | { readonly op: "kill"; readonly component: string; readonly signal: NodeJS.Signals }
  | { readonly op: "start"; readonly component: string }
  | { readonly op: "restart"; readonly component: string }
  | { readonly op: "compact" };

export type ControlAnswer =
  | {
      readonly ok: true;
      readonly components?: readonly ComponentStatus[];
      readonly revision?: number;
    }
  | { readonly ok: false; readonly error: string };
