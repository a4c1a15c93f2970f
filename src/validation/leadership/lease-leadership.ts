import {
  createLeaderElection,
  type KubeClient,
  type KubeObject,
  type LeaderElection,
  resourceTypes,
} from "../../platform/kube/index.ts";
import { acquireStoreLock, type Store } from "../../platform/store/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Leader, Leadership, LeadershipTrouble } from "./leadership.ts";

export interface LeaseLeadershipOptions {
  /** Best one of its own: renewals must not wait behind other requests. */
  readonly client: KubeClient;
  /** Counts the terms, so that it can refuse what an earlier leader still sends. */
  readonly store: Pick<Store, "db">;
  /** What is led, as for the lock in the store, so that both kinds share one count. */
  readonly name: string;
  /** The Lease. @default "tessera-validation" */
  readonly leaseName?: string;
  /** @default the client's namespace */
  readonly namespace?: string;
  /** Who this process is; must differ between any two processes, also from its own next life. */
  readonly holder: string;
  readonly clock: Clock;
  /** For the jitter between attempts; any stream of an Rng. */
  readonly random: { float(): number };
  /** How long others wait for a silent leader. @default 15_000 */
  readonly ttlMs?: number;
  /** Told of each attempt that failed, and with undefined of the next that did not. */
  readonly onTrouble?: LeadershipTrouble;
}

const retryFenceMs = 1_000;
// A lease may be deleted and its count start anew, so terms are counted in the store. Under one
// name for all: each who asks takes the row over and counts it up.
const fenceHolder = "kubernetes-lease";

/** Leadership by a Kubernetes Lease; the fence comes from the store that the leader writes to. */
export function createLeaseLeadership(options: LeaseLeadershipOptions): Leadership {
  return new LeaseLeadership(options);
}

class LeaseLeadership implements Leadership {
  readonly #options: LeaseLeadershipOptions;
  readonly #election: LeaderElection;
  readonly #leaseName: string;
  readonly #listeners = new Set<() => void>();
  #fence: { readonly term: AbortSignal; readonly token: number } | undefined;
  #leader: Leader | undefined;
  #looking: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: LeaseLeadershipOptions) {
    const { client, namespace, holder, clock, random, ttlMs = 15_000, onTrouble } = options;
    this.#options = options;
    this.#leaseName = options.leaseName ?? "tessera-validation";
    this.#election = createLeaderElection({
      client,
      ...(namespace === undefined ? {} : { namespace }),
      name: this.#leaseName,
      identity: holder,
      clock,
      random,
      leaseDurationMs: ttlMs,
      renewDeadlineMs: (ttlMs * 2) / 3,
      retryPeriodMs: ttlMs / 8,
      ...(onTrouble === undefined ? {} : { onFailure: onTrouble }),
    });
    this.#election.subscribe((event) => {
      if (event.type === "lost") this.#tell();
      else void this.#takeFence(event.term.signal);
    });
  }

  start(): void {
    if (this.#looking !== undefined) return;
    this.#election.start();
    this.#looking = this.#look();
  }

  isLeader(): boolean {
    return this.fence() !== undefined;
  }

  fence(): number | undefined {
    const fence = this.#fence;
    if (fence === undefined || fence.term.aborted || !this.#election.isLeader()) return undefined;
    return fence.token;
  }

  leader(): Leader | undefined {
    return this.#leader;
  }

  subscribe(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(new Error("leadership was given back"));
    await this.#looking;
    await this.#election.stop();
    this.#listeners.clear();
  }

  /** A term counts from when the store knows of it; until then nothing may be planned. */
  async #takeFence(term: AbortSignal): Promise<void> {
    const { store, name, clock, onTrouble, ttlMs = 15_000 } = this.#options;
    while (!term.aborted) {
      try {
        const request = { name, holder: fenceHolder, ttlMs, clock };
        const lock = await acquireStoreLock(store.db, request);
        if (lock !== undefined) {
          this.#fence = { term, token: lock.fencingToken };
          this.#tell();
          return;
        }
        // A loop that leads by the store's own lock is still at work; its time will run out.
      } catch (error) {
        onTrouble?.(error);
      }
      await sleep(clock, retryFenceMs, term).catch(() => {});
    }
  }

  /** Looks who leads, for people; nothing is decided by it. */
  async #look(): Promise<void> {
    const { clock, ttlMs = 15_000 } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const before = this.#leader;
      const holder = this.#election.leader;
      if (holder === undefined) this.#leader = undefined;
      else if (holder !== before?.holder) this.#leader = await this.#readLeader(holder);
      if (this.#leader !== before) this.#tell();
      await sleep(clock, ttlMs / 8, signal).catch(() => {});
    }
  }

  async #readLeader(holder: string): Promise<Leader> {
    const { client, namespace = client.config.namespace } = this.#options;
    const ref = { namespace, name: this.#leaseName };
    const lease = await client
      .get<KubeObject & { readonly spec?: { readonly acquireTime?: string } }>(
        resourceTypes.leases,
        ref,
      )
      .catch(() => undefined);
    const sinceMs = Date.parse(lease?.spec?.acquireTime ?? "");
    return {
      holder,
      sinceMs: Number.isNaN(sinceMs) ? undefined : sinceMs,
      isThisProcess: holder === this.#options.holder,
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
