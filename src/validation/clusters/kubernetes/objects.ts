import type { KubeObject } from "../../../platform/kube/index.ts";

/** Amounts by resource, as the API writes them: `{ cpu: "500m" }`. */
export type ResourceList = Readonly<Record<string, string | number>>;

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface NodeObject extends KubeObject {
  readonly metadata: KubeObject["metadata"] & {
    readonly managedFields?: readonly ManagedFields[];
  };
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
  };
}

/** Who set which fields; `fieldsV1` nests `f:spec` and `f:unschedulable`. */
export interface ManagedFields {
  readonly manager?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface ContainerObject {
  readonly name?: string;
  readonly image?: string;
  /** `Always` makes an init container a sidecar. */
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly restartPolicy?: string;
  readonly containers?: readonly ContainerObject[];
  readonly initContainers?: readonly ContainerObject[];
  readonly overhead?: ResourceList;
  /** Of the pod as a whole. */
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly resourceClaims?: readonly unknown[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
      };
    };
  };
  readonly tolerations?: readonly Toleration[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface ContainerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly allocatedResources?: ResourceList;
  readonly resources?: { readonly requests?: ResourceList };
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly exitCode?: number;
    readonly signal?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

export interface PodObject extends KubeObject {
  readonly spec?: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

/** A batch/v1 Job. */
export interface JobObject extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly succeeded?: number;
    readonly failed?: number;
  };
}

/** A batch.volcano.sh/v1alpha1 Job. */
export interface VolcanoJobObject extends KubeObject {
  readonly status?: {
    readonly state?: {
      readonly phase?: string;
      readonly reason?: string;
      readonly message?: string;
    };
  };
}
