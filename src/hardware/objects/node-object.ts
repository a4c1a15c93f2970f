import type { KubeObject } from "../../platform/kube/index.ts";
import type { NodeTaint } from "./undo-entry.ts";

/** What this room reads of a Node. */
export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly NodeTaint[];
  };
  readonly status?: {
    readonly conditions?: readonly NodeCondition[];
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}

/** What this room reads of a Pod. */
export interface PodObject extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly initContainers?: readonly {
      readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
    }[];
    /** Devices by dynamic resource allocation. */
    readonly resourceClaims?: readonly unknown[];
    readonly containers?: readonly {
      readonly name: string;
      readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
      readonly env?: readonly { readonly name: string; readonly value?: string }[];
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state?: Readonly<Record<string, unknown>>;
      readonly lastState?: {
        readonly terminated?: { readonly exitCode: number; readonly reason?: string };
      };
    }[];
  };
}
