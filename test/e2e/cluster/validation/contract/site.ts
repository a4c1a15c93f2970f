import type { Values } from "../support/real-site.ts";

/** A job of ours as the cluster's own tools show it. */
export interface SiteJob {
  readonly runId: string;
  readonly node: string;
  readonly hasEnded: boolean;
}

/** A node as the cluster's own tools show it. */
export interface SiteNode {
  /** Closed to users, by whomever. */
  readonly closed: boolean;
  /** What the cluster has on record about why; empty where nobody said. */
  readonly reason: string;
}

/** A user's job on a node. */
export interface UserJob {
  /** How a person would find it again in a sentence. */
  readonly name: string;
  /** Resolves when it holds nothing any more. */
  end(): Promise<void>;
}

/** What an entry of the configuration is made for. */
export interface EntryFor {
  readonly name: string;
  /** The folder of results, as this machine sees it; it is there. */
  readonly root: string;
  /** Where jobs post their results; undefined when they only write files. */
  readonly url: string | undefined;
}

/**
 * A place with real nodes where the loop validates, seen from outside of it: as its users, its
 * administrator and its power supply see it. The contract of the loop is written against this.
 */
export interface Site {
  /** All of its nodes, at least two, each with eight GPUs that nobody uses. */
  readonly nodes: readonly string[];
  /** What the view says of their GPUs. */
  readonly sku: string;
  /** Below it, folders are the same for jobs and for the test. */
  readonly shared: string;
  /** An address of this machine that jobs reach. */
  readonly hostAddress: string;
  /** How a job sees a folder of results. */
  seenByJobs(root: string): string;
  /** An entry of `validation.clusters`. */
  entry(of: EntryFor): Values;
  /** All jobs of one entry that the cluster remembers. */
  jobs(name: string): Promise<readonly SiteJob[]>;
  /** A user's job that holds all GPUs of a node. Resolves when it runs. */
  userJob(name: string, node: string): Promise<UserJob>;
  /** Closes a node as an administrator does. */
  close(node: string, reason: string): Promise<void>;
  /** Opens a node as an administrator does. */
  open(node: string): Promise<void>;
  node(name: string): Promise<SiteNode>;
  /** From now on no job of ours is started, though the cluster takes it; returns how to end that. */
  holdJobs(): Promise<() => Promise<void>>;
  /** The program that knows of all jobs: ended, and started again. */
  readonly controller: { kill(): Promise<void>; start(): Promise<void> };
  /** Lets the next loop lead at once, where the dead one's lead would hold on for seconds. */
  forgetLeader(name: string, dataDir: string): Promise<void>;
}
