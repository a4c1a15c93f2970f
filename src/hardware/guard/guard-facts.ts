import type { Cordon, NvSentinelFound } from "../detectors/index.ts";
import type { HardwareFault, HardwareFaultSpec } from "../objects/index.ts";

/** The part of a fault that guard and plan look at. */
export type GuardRequest = Pick<
  HardwareFaultSpec,
  "action" | "namespace" | "run" | "allowRealReboot"
>;

/** Something that was asked of the cluster: the answer, or why there is none. */
export type Known<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly problem: string };

/** What the rules look at. What could not be read is never taken for harmless. */
export interface GuardFacts {
  readonly nowMs: number;
  readonly nodes: Known<readonly GuardNode[]>;
  /** The namespace under test; null: there is none of that name. */
  readonly namespace: Known<GuardNamespace | null>;
  /** On the node of the fault; none for a fault that is on no node. */
  readonly pods: Known<readonly GuardPod[]>;
  /** Every disruption budget of the cluster. */
  readonly budgets: Known<readonly GuardBudget[]>;
  /** All faults that are kept, live ones and those of the last day. */
  readonly faults: Known<readonly HardwareFault[]>;
  /** NVSentinel's own note about its circuit breaker. */
  readonly breaker: Known<"CLOSED" | "TRIPPED" | "absent">;
  readonly nvsentinel: Known<NvSentinelFound>;
  /** Seen by their DaemonSets. */
  readonly otherDetectors: Known<{ readonly gpud: boolean; readonly dcgm: boolean }>;
}

export interface GuardNode {
  readonly name: string;
  readonly ready: "yes" | "no" | "unknown";
  readonly labels: Readonly<Record<string, string>>;
  readonly cordon: Cordon;
  /** Has GPUs, by its label or by what it offers to pods. */
  readonly hasGpus: boolean;
  /** NVSentinel has quarantined it, or released it so recently that its breaker still counts it. */
  readonly countsForBreaker: boolean;
}

export interface GuardNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface GuardPod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Who made it: `ReplicaSet/web-7f9c`; absent for a bare pod. */
  readonly owner?: { readonly kind: string; readonly name: string };
  /** Of any of its containers, or perhaps by a claim. */
  readonly usesGpus: boolean;
  /** Succeeded or failed: nothing of it can be broken. */
  readonly hasEnded: boolean;
}

export interface GuardBudget {
  readonly namespace: string;
  readonly name: string;
  readonly disruptionsAllowed: number;
  readonly selector?: LabelSelector;
}

/** As the API has it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}
