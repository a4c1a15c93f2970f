import type { KubeClient } from "../../../platform/kube/index.ts";
import type { Undo } from "../../ledger/index.ts";
import type { ClusterHooks, PodRef } from "../kubernetes-options.ts";
import type { PodView } from "../objects.ts";

/** One thing that is broken: how it is taken back, how it is done, and what shows it. */
export interface Deed {
  readonly target: string;
  readonly undo: Undo;
  /** With `dryRun` the API server checks everything and changes nothing. */
  act(how: { readonly dryRun: boolean }): Promise<void>;
  /** What is seen of it by now. Asked again and again. */
  see(): Promise<Sight>;
  /** What has come of it by the time it is taken back, where more may come than its first sign. */
  seeAtEnd?(): Promise<Sight>;
}

/** An effect in words, or nothing yet; `why` says what was seen in its place. */
export type Sight = { readonly effect: string } | { readonly why: string };

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
