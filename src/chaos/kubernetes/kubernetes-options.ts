import type { KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";

/** How an installation takes a whole node away and brings it back: its power, its kubelet. */
export interface NodeHook {
  stop(node: string): Promise<void>;
  /** Doing it twice is doing it once. */
  start(node: string): Promise<void>;
}

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

export interface KubernetesWorldOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For the jitter of waits; any stream of an Rng. */
  readonly random: { float(): number };
  /** Where ledgers lie. */
  readonly folder: string;
  /** The name of a run. @default one that no other run of this machine has */
  readonly run?: string;
  /** Without one, `fail_node` is refused. */
  readonly nodeHook?: NodeHook;
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
