import assert from "node:assert/strict";
import {
  acquireStoreLock,
  releaseStoreLock,
  renewStoreLock,
  type Store,
  type StoreLock,
} from "../../platform/store/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Leader, Leadership, LeadershipTrouble } from "./leadership.ts";
import { type Moment, momentOf, sinceMs } from "./standing.ts";

export interface StoreLeadershipOptions {
  readonly store: Pick<Store, "db">;
  /** What is led: `validation/<cluster>`. */
  readonly name: string;
  /** Who this process is; must differ between any two processes, also from its own next life. */
  readonly holder: string;
  /** This machine's. Those of all candidates must agree to well within `ttlMs`. */
  readonly clock: Clock;
  /** How long others wait for a silent leader. @default 15_000 */
  readonly ttlMs?: number;
  /** Told of each attempt that failed, and with undefined of the next that did not. */
  readonly onTrouble?: LeadershipTrouble;
}

// A leader gives up well before the others may take over, and tries more than once before that.
const giveUpShare = 2 / 3;
const attemptShare = 1 / 5;
const sinceMark = " since ";

/** Leadership by a lock in the store that the loops share. */
export function createStoreLeadership(options: StoreLeadershipOptions): Leadership {
  return new StoreLeadership(options);
}

class StoreLeadership implements Leadership {
  readonly #options: StoreLeadershipOptions;
  readonly #ttlMs: number;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #lock: StoreLock | undefined;
  #renewed: Moment | undefined;
  #leader: Leader | undefined;
  /** Kept over an attempt that failed, because it may have succeeded all the same. */
  #candidate: string | undefined;
  /** What was last told, so that only changes are. */
  #told = "";

  constructor(options: StoreLeadershipOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? 15_000;
    assert(this.#ttlMs > 0, "a lock is held for some time");
    assert(!options.holder.includes(sinceMark), "a holder's name is plain");
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  isLeader(): boolean {
    if (this.#lock === undefined || this.#renewed === undefined) return false;
    return sinceMs(this.#renewed, this.#options.clock) < this.#ttlMs * giveUpShare;
  }

  fence(): number | undefined {
    return this.isLeader() ? this.#lock?.fencingToken : undefined;
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
    this.#stopping.abort(new Error("leadership was given back"));
    await this.#loop;
    const lock = this.#lock;
    this.#lock = undefined;
    if (lock !== undefined) {
      await releaseStoreLock(this.#options.store.db, lock).catch((error: unknown) =>
        this.#options.onTrouble?.(error),
      );
    }
    this.#listeners.clear();
  }

  async #run(): Promise<void> {
    const { clock, onTrouble } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#attempt();
        onTrouble?.(undefined);
      } catch (error) {
        onTrouble?.(error);
      }
      this.#tellChanges();
      await sleep(clock, this.#ttlMs * attemptShare, signal).catch(() => {});
    }
  }

  /** Renews what is held, or takes what is free, or looks who has it. */
  async #attempt(): Promise<void> {
    const { store, name, holder, clock } = this.#options;
    // Counted from before the request: whatever the store does, the others count from later.
    const sent = momentOf(clock);
    if (this.#lock !== undefined) {
      const lock = await renewStoreLock(store.db, this.#lock, clock);
      this.#lock = lock;
      if (lock !== undefined) {
        this.#renewed = sent;
        return;
      }
    }
    this.#candidate ??= `${holder}${sinceMark}${new Date(sent.atMs).toISOString()}`;
    const request = { name, holder: this.#candidate, ttlMs: this.#ttlMs, clock };
    const lock = await acquireStoreLock(store.db, request);
    if (lock !== undefined) {
      this.#lock = lock;
      this.#renewed = sent;
      this.#leader = leaderOf(this.#candidate, true);
    } else {
      this.#leader = await this.#readLeader();
    }
    this.#candidate = undefined;
  }

  async #readLeader(): Promise<Leader | undefined> {
    const { store, name } = this.#options;
    const row = await store.db
      .selectFrom("leader_locks")
      .select("holder")
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined ? undefined : leaderOf(row.holder, false);
  }

  #tellChanges(): void {
    const { holder, sinceMs: since } = this.#leader ?? {};
    const now = JSON.stringify([this.isLeader(), this.#lock?.fencingToken, holder, since]);
    if (now === this.#told) return;
    this.#told = now;
    for (const listener of this.#listeners) listener();
  }
}

function leaderOf(text: string, isThisProcess: boolean): Leader {
  const [holder = text, since = ""] = text.split(sinceMark);
  const parsedMs = Date.parse(since);
  return { holder, sinceMs: Number.isNaN(parsedMs) ? undefined : parsedMs, isThisProcess };
}
