import type { KubeClient, KubeObject } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { CustomWorkload, WorkloadKind, WorkloadRef } from "../objects/index.ts";
import type { ClusterPort } from "./cluster-port.ts";
import type { FaultService } from "./fault-service.ts";
import type { InferenceRequest } from "./inference.ts";

/** A workload that is there already: the name of a Deployment, or a name and what it is. */
export type NamedWorkload =
  | string
  | {
      readonly name: string;
      /** @default "deployment" */
      readonly kind?: WorkloadKind;
      /** Where a custom resource has its pod templates. */
      readonly custom?: CustomWorkload;
    };

/** A workload that the test makes and deletes again. */
export interface MadeWorkload {
  readonly manifest: KubeObject;
  /** For kinds that Kubernetes does not have itself. */
  readonly custom?: CustomWorkload;
}

/** Where the fault API is. */
export type FaultApiChoice =
  /** Anything that has its methods. */
  | FaultService
  /** One that listens there. */
  | { readonly url: string; readonly token: string }
  /** One in the cluster, through `kubectl port-forward`. */
  | {
      /** The namespace of the installation. @default "tessera-hardware" */
      readonly portForward: { readonly namespace?: string; readonly kubectl?: string };
      /** @default the token of the kubeconfig */
      readonly token?: string;
    };

export interface ManagedDeploymentOptions {
  /** The namespace under test. */
  readonly namespace: string;
  readonly workload: NamedWorkload | MadeWorkload;
  /** Faults break what they are aimed at; without this every method that makes one refuses. @default false */
  readonly enableHwFaults?: boolean;
  /** @default port-forward to the installation in `tessera-hardware` */
  readonly api?: FaultApiChoice;
  /** How the service is asked. Without it `inferenceRequest` refuses. */
  readonly request?: InferenceRequest;
  /** A client for the cluster; it is not closed. @default one by the kubeconfig */
  readonly client?: KubeClient;
  /** @default as kubectl finds it */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** The XID of every fault that names none. @default 79 */
  readonly xid?: number;
  /** How long faults live when this process does not. @default 15 */
  readonly leaseSeconds?: number;
  /** However often the lease is renewed, a fault ends after this long. @default 1800 */
  readonly durationSeconds?: number;
  /** A detector may really restart or replace the machine. @default false */
  readonly allowRealReboot?: boolean;
  /** How long the pods may take to serve, at the start and after each restart. @default 600_000 */
  readonly readyTimeoutMs?: number;
  /** Gets a line for each step. @default nobody */
  readonly onProgress?: (text: string) => void;
  /** Ends every wait, and takes everything back. */
  readonly signal?: AbortSignal;
  /** @default the machine's */
  readonly clock?: Clock;
}

/** What `start` works with, once it is open. */
export interface OpenedHarness {
  readonly client: Pick<KubeClient, "get" | "getText" | "create" | "delete">;
  readonly cluster: (workload: WorkloadRef) => ClusterPort;
  /** Absent when faults are not enabled. */
  readonly faults: FaultService | undefined;
  readonly clock: Clock;
  /** The name of this test. */
  readonly run: string;
  /** Closes what was opened, and nothing else. */
  close(): Promise<void>;
}
