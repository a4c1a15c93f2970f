import type { KubeClient } from "../../../platform/kube/index.ts";
import type { ClusterHooks, PodRef } from "../kubernetes-options.ts";
import type { PodView } from "../objects.ts";

/** What deeds are made with. */
export interface DeedContext extends ClusterHooks {
  readonly client: KubeClient;
  /** Whether a pod answers; undefined: nobody can ask it. */
  readonly isReachable?: ((pod: PodRef) => Promise<boolean>) | undefined;
  readonly namespace: string;
  readonly run: string;
  /** The pods of the workload, as they are now. */
  pods(): readonly PodView[];
  /** One of them. */
  pod(name: string): PodView | undefined;
  /** Milliseconds since the Unix epoch, until when others leave our faults alone. */
  leaseUntilMs(): number;
}
