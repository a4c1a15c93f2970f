import type { JsonObject } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Provenance } from "../../platform/words.ts";
import type { RunIntent } from "../run.ts";

export const clusterKinds = ["kubernetes", "slurm", "local", "simulated"] as const;
export type ClusterKind = (typeof clusterKinds)[number];

/** Whether jobs run on this machine and end with this process; others go on and are found again. */
export function endsWithUs(kind: ClusterKind): boolean {
  return kind === "local" || kind === "simulated";
}

/** Why a node is not free, for programs; the sentence beside it is for people. */
export const notFreeCodes = [
  "not-ready",
  "cordoned",
  "tainted",
  "busy",
  "no-gpu",
  "cpu",
  "memory",
  "rdma",
  "leaving",
  "reserved",
  "planned",
  "under-test",
  "excluded",
] as const;
export type NotFreeCode = (typeof notFreeCodes)[number];

export interface NotFreeReason {
  readonly code: NotFreeCode;
  /** One sentence with names and numbers: `pod ml/train-7 holds 8 of 8 GPUs`. */
  readonly text: string;
}

/** A node as the cluster shows it now. */
export interface ClusterNode {
  readonly name: string;
  /** The model of its GPUs, in lower case with hyphens: `h100-sxm5-80gb`; `unknown` when not told. */
  readonly sku: string;
  /** Its rack or switch; empty when not told. */
  readonly rack: string;
  readonly gpus: number;
  /** Every reason why it cannot be tested now; empty when it is free. */
  readonly notFree: readonly NotFreeReason[];
  /** Cordoned by us and waiting to be accepted: free for tests though closed to users. */
  readonly awaitsAcceptance: boolean;
  /** Closed to users, by whomever. */
  readonly cordoned: boolean;
}

/** How far a view can be trusted. */
export type ViewTrust =
  | { readonly state: "current" }
  | {
      readonly state: "starting" | "stale";
      /** Since when changes may be missing; absent while starting. */
      readonly sinceMs?: number;
      /** One sentence for people. */
      readonly reason: string;
    };

/** The cluster at one moment. */
export interface ClusterView {
  readonly atMs: number;
  /** Nobody decides anything on a view that is not current. */
  readonly trust: ViewTrust;
  readonly nodes: readonly ClusterNode[];
  /** All jobs of ours, finished ones included while the cluster keeps them. */
  readonly jobs: readonly JobView[];
}

/** Where a job of ours stands. `gone`: it is being deleted. */
export type JobPhase = "pending" | "running" | "succeeded" | "failed" | "gone";

/** A job of ours as the cluster shows it now. */
export interface JobView {
  readonly name: string;
  /** From its label. */
  readonly runId: string;
  readonly node: string;
  readonly phase: JobPhase;
  readonly createdAtMs: number;
  /** When its pod began to run. */
  readonly startedAtMs?: number;
  /** Why it waits or failed, in the cluster's words: `Unschedulable: 0/50 nodes...`, `exit code 137`. */
  readonly detail?: string;
  /** It was ended to make room for users' work, which says nothing about the node. */
  readonly preempted?: true;
  /** Somebody else took it away before it began, which says nothing about the node either. */
  readonly neverBegan?: true;
}

/** What a cluster needs to start a check on a node. */
export interface JobRequest {
  readonly intent: RunIntent;
  /** Lets the job hand in its result; for this run only. */
  readonly token: string;
  /** Where the job posts its result; absent when it only writes files. */
  readonly resultUrl?: string;
  /** After this long the job itself must give up. */
  readonly runTimeoutMs: number;
  /** Options of the check, from the configuration. */
  readonly checkOptions: JsonObject;
}

/** Something that happened to a node and tells of its health. */
export type Sign =
  | { readonly kind: "crash"; readonly atMs: number; readonly node: string; readonly job: string }
  | { readonly kind: "kernel"; readonly atMs: number; readonly node: string; readonly xid: number }
  | { readonly kind: "repair"; readonly atMs: number; readonly node: string };

/** What may be changed about a node. Each is done once, however often it is asked for. */
export interface NodeControls {
  /** Sets labels and annotations; null removes one. */
  mark(
    node: string,
    marks: { readonly labels?: Marks; readonly annotations?: Marks },
  ): Promise<void>;
  /**
   * Closes a node to users and marks it as closed by us. True when it is closed by us now; false when
   * nothing was done, because somebody else had closed it.
   */
  cordon(node: string, reason: string): Promise<boolean>;
  /** Opens a node that we closed; refuses (returns false) when somebody else closed it. */
  uncordon(node: string, reason: string): Promise<boolean>;
  /** What of ours is on nodes, also on those that are not looked at any more; only nodes with something. */
  traces(): Promise<readonly NodeTraces[]>;
  /**
   * Takes everything of ours off a node and opens it if we closed it; what others wrote or closed stays.
   *
   * @returns what was there; undefined when there was nothing
   */
  clear(node: string): Promise<NodeTraces | undefined>;
}
export type Marks = Readonly<Record<string, string | null>>;

/** What of ours is on a node. */
export interface NodeTraces {
  readonly node: string;
  /** We closed it, and nobody else has since. */
  readonly isClosedByUs: boolean;
  readonly labels: readonly string[];
  /** Annotations, or what stands for them: the comment of a node of Slurm, a reservation of ours. */
  readonly annotations: readonly string[];
}

/** Whether there is nothing of ours. */
export function isClear({ isClosedByUs, labels, annotations }: NodeTraces): boolean {
  return !isClosedByUs && labels.length + annotations.length === 0;
}

/**
 * Where checks run. All state is the cluster's own: a new object of this kind in a new process sees
 * the same nodes and the same jobs.
 */
export interface Cluster {
  readonly name: string;
  readonly kind: ClusterKind;
  /** What figures from here are: `measured` on hardware, `simulated` in a made-up fleet. */
  readonly provenance: Provenance;
  /** The time jobs and nodes live in; a simulated fleet's runs faster than ours. */
  readonly clock: Clock;
  /** Names of the checks that can run here; and why the others cannot. */
  readonly checks: {
    readonly available: readonly string[];
    readonly unavailable: Readonly<Record<string, string>>;
  };
  /** Begins to look. Resolves at once; the view says when it can be trusted. */
  start(): void;
  /** What is known now, without asking the cluster. */
  view(): ClusterView;
  /** Calls back whenever the view may have changed. Returns how to stop that. */
  subscribe(listener: () => void): () => void;
  /** Signs since the last call, oldest first; each is handed out once. At most 10,000 are kept. */
  takeSigns(): readonly Sign[];
  /**
   * Submits the job of a run. If a job of that name is there, nothing happens: submitting twice is
   * submitting once.
   *
   * @throws E_JOB_REFUSED when the cluster will never take it; other errors may pass.
   */
  submit(request: JobRequest): Promise<void>;
  /** Ends a job and removes what belongs to it. A job that is not there is not an error. */
  cancel(jobName: string): Promise<void>;
  /**
   * Puts in order what ended jobs and dead processes left. Called again and again, only by the loop that
   * leads; done once, however often it is called. Absent where nothing can be left.
   */
  tend?(): Promise<void>;
  /** Undefined where nodes cannot be changed. */
  readonly controls: NodeControls | undefined;
  /** Stops looking. Jobs go on. Stopping twice is stopping once. */
  stop(): Promise<void>;
}
