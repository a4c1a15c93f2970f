import type { KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { NodeHook } from "../live/index.ts";

/** A hardware fault of one node, as the experiment has it. */
export interface HardwareInjection {
  /** Ours: what it is asked for and taken back by. */
  readonly id: string;
  /** The experiment's: faults of the same run may be on the same node. */
  readonly run: string;
  readonly fault: "gpu_xid" | "cuda_error";
  readonly node: string;
  readonly namespace: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** How long it lasts unless somebody takes it back before; null: as long as the run. */
  readonly durationMs: number | null;
}

/** How an installation breaks the GPUs of a node: its fault API. Faults end by themselves when nobody renews them. */
export interface HardwareHook {
  /** Throws for whatever the guard would refuse; changes nothing. */
  plan(injection: HardwareInjection): Promise<void>;
  /** Resolves when it is carried out. */
  inject(injection: HardwareInjection): Promise<void>;
  /** What the installation has seen of it: for a `gpu_xid` a detector's doing, for a `cuda_error` that it is armed. */
  see(id: string): Promise<{ readonly effect: string } | { readonly why: string }>;
  /** Resolves when all is as it was. Doing it twice is doing it once, and so is one that never came to be. */
  revert(id: string): Promise<void>;
}

/** What only the installation can do. */
export interface ClusterHooks {
  /** Without one, `fail_node` is refused. */
  readonly nodeHook?: NodeHook | undefined;
  /** Without one, `gpu_xid` and `cuda_error` are refused. */
  readonly hardware?: HardwareHook | undefined;
}

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

export interface KubernetesWorldOptions extends ClusterHooks {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For the jitter of waits; any stream of an Rng. */
  readonly random: { float(): number };
  /** Where ledgers lie. */
  readonly folder: string;
  /** The name of a run. @default one that no other run of this machine has */
  readonly run?: string;
  /**
   * Whether a pod answers, by whatever knows: the evidence of a network policy.
   * @default the API server's proxy, where we may use it
   */
  readonly isReachable?: (pod: PodRef) => Promise<boolean>;
  /** Between two looks at the pods; each at which all are ready is a step. @default 1000 */
  readonly lookEveryMs?: number;
  /** So long after the last renewal anybody may take faults back. @default one minute */
  readonly leaseMs?: number;
}
