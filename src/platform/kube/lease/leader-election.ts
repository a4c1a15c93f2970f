import assert from "node:assert/strict";
import { type Clock, sleep, type Timer } from "../../time/index.ts";
import type { KubeClient } from "../client.ts";
import { isNotFound } from "../http/failure.ts";
import { resourceTypes } from "../resource-type.ts";
import { Subscribers } from "../subscribers.ts";
import {
  heldLease,
  type Lease,
  mayTake,
  type Observation,
  observe,
  releasedLease,
} from "./lease-record.ts";

export interface LeaderElectionOptions {
  /** Best one of its own: renewals must not wait behind other requests. */
  readonly client: KubeClient;
  /** @default the client's namespace */
  readonly namespace?: string;
  /** The name of the Lease; candidates of one election share it. */
  readonly name: string;
  /** Who we are. Must differ between any two processes, also between a process and its next life. */
  readonly identity: string;
  readonly clock: Clock;
  /** For the jitter between attempts; any stream of an Rng. */
  readonly random: { float(): number };
  /** How long others wait for a silent leader. @default 15_000 */
  readonly leaseDurationMs?: number;
  /** After this long without a renewal the leader gives up; shorter than the lease. @default 10_000 */
  readonly renewDeadlineMs?: number;
  /** The time between attempts to acquire or renew. @default 2_000 */
  readonly retryPeriodMs?: number;
  /** Told about every attempt that failed for another reason than somebody else's leading. */
  readonly onFailure?: (error: unknown) => void;
}

/** A time of leading. */
export interface LeaderTerm {
  /** Aborts when the term ends, for whatever reason. */
  readonly signal: AbortSignal;
  /**
   * Larger than in any term of another candidate before, as long as nobody deletes the Lease: hand
   * it on, so that a store can refuse an earlier leader.
   */
  readonly fence: number;
}

export type LeaderEvent =
  | { readonly type: "elected"; readonly term: LeaderTerm }
  | { readonly type: "lost" };

type Resolved = LeaderElectionOptions &
  Required<
    Pick<
      LeaderElectionOptions,
      "namespace" | "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs"
    >
  >;

const retryJitter = 0.2;

/**
 * Takes part in an election by a Lease, as Kubernetes' own controllers do. At most one candidate
 * leads at any time, also when a process is paused or a clock is wrong: a leader counts its time
 * from before its last renewal was sent, and gives up before the others may take over.
 */
export class LeaderElection {
  readonly #options: Resolved;
  readonly #subscribers = new Subscribers<LeaderEvent>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #observation: Observation | undefined;
  /** When the last renewal that succeeded was sent, by both clocks. */
  #renewed: { readonly monotonicMs: number; readonly atMs: number } | undefined;
  #term: AbortController | undefined;
  #deadline: Timer | undefined;

  constructor(options: LeaderElectionOptions) {
    const defaults = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
    this.#options = { ...defaults, namespace: options.client.config.namespace, ...options };
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = this.#options;
    assert(options.identity !== "", "a candidate has an identity");
    assert(leaseDurationMs > renewDeadlineMs, "the lease outlives the leader's own deadline");
    assert(renewDeadlineMs > retryPeriodMs * (1 + retryJitter), "there is time to try twice");
  }

  /**
   * Whether this process leads at this moment. Looks at the clock: ask right before acting, after
   * any wait, and a process that slept through its deadline learns it in time.
   */
  isLeader(): boolean {
    return this.#term !== undefined && this.#withinDeadline();
  }

  /** Who led when last looked; undefined when nobody did. */
  get leader(): string | undefined {
    return this.#observation?.lease.spec?.holderIdentity || undefined;
  }

  /** Calls back when this process is elected and when it stops leading. Returns how to stop it. */
  subscribe(listener: (event: LeaderEvent) => void): () => void {
    return this.#subscribers.add(listener);
  }

  /** Begins to run for election. */
  start(): this {
    assert(this.#loop === undefined, "an election starts once");
    this.#loop = this.#run();
    return this;
  }

  /** Ends the term and hands the lease back. Finish the leader's work first: another may begin now. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the election was stopped"));
    await this.#loop;
    this.#endTerm();
    if (this.leader === this.#options.identity) {
      await this.#release().catch((error: unknown) => this.#options.onFailure?.(error));
    }
    this.#subscribers.clear();
  }

  async #run(): Promise<void> {
    const { clock, random, retryPeriodMs, onFailure } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // An attempt is never cut short: a write that may still arrive must not be overtaken.
      await this.#attempt().catch((error: unknown) => onFailure?.(error));
      const waitMs = retryPeriodMs * (1 + retryJitter * random.float());
      await sleep(clock, waitMs, signal).catch(() => {});
    }
  }

  /** Reads the lease and takes or renews it, if that is allowed. */
  async #attempt(): Promise<void> {
    const { client, clock, identity, leaseDurationMs, namespace, name } = this.#options;
    const type = resourceTypes.leases;
    const lease = await client
      .get<Lease>(type, { namespace, name }, this.#callOptions())
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
    if (lease !== undefined) {
      this.#observation = observe(this.#observation, lease, clock.monotonicMs());
      if (this.leader !== identity) this.#endTerm();
    }
    // A lease that somebody deleted may have a leader all the same, who has not noticed yet.
    const seen = this.#observation;
    if (seen !== undefined && !mayTake(seen, identity, clock.monotonicMs())) return;
    // Counted from before the request: whatever the network does, the others count from later.
    const sent = { monotonicMs: clock.monotonicMs(), atMs: clock.nowMs() };
    const spec = heldLease(seen?.lease, { identity, leaseDurationMs, nowMs: sent.atMs });
    const object = { metadata: lease?.metadata ?? { namespace, name }, spec };
    const written =
      lease === undefined
        ? await client.create<Lease>(type, object, this.#callOptions())
        : await client.update<Lease>(type, object, this.#callOptions());
    this.#observation = observe(undefined, written, clock.monotonicMs());
    this.#renewed = sent;
    this.#lead(spec.leaseTransitions ?? 0);
  }

  /** The lease is ours: begins the term, or goes on with it. */
  #lead(fence: number): void {
    // The answer may have come so late that the time it grants is over, or after we were told to stop.
    if (!this.#withinDeadline() || this.#stopping.signal.aborted) return;
    this.#deadline?.cancel();
    const { clock, renewDeadlineMs } = this.#options;
    this.#deadline = clock.setTimer(renewDeadlineMs - this.#sinceRenewalMs(), () =>
      this.#endTerm(),
    );
    if (this.#term !== undefined) return;
    const controller = new AbortController();
    this.#term = controller;
    this.#subscribers.tell({ type: "elected", term: { signal: controller.signal, fence } });
  }

  #endTerm(): void {
    this.#deadline?.cancel();
    const term = this.#term;
    if (term === undefined) return;
    this.#term = undefined;
    term.abort(new Error("this process no longer leads"));
    this.#subscribers.tell({ type: "lost" });
  }

  async #release(): Promise<void> {
    const { client, clock } = this.#options;
    const lease = this.#observation?.lease;
    assert(lease !== undefined, "a lease that is ours has been seen");
    const object = { metadata: lease.metadata, spec: releasedLease(lease, clock.nowMs()) };
    // With the version we wrote: if somebody took the lease since, this fails and does no harm.
    await client.update(resourceTypes.leases, object, this.#callOptions());
  }

  #withinDeadline(): boolean {
    return this.#sinceRenewalMs() < this.#options.renewDeadlineMs;
  }

  /** The stopwatch may stand still while a machine sleeps, the calendar may be set back: the longer counts. */
  #sinceRenewalMs(): number {
    if (this.#renewed === undefined) return Infinity;
    const { clock } = this.#options;
    const { monotonicMs, atMs } = this.#renewed;
    return Math.max(clock.monotonicMs() - monotonicMs, clock.nowMs() - atMs);
  }

  #callOptions() {
    return { retryForMs: 0, timeoutMs: this.#options.renewDeadlineMs / 2 };
  }
}

/** A candidate for an election; call `start()` to run. */
export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  return new LeaderElection(options);
}
