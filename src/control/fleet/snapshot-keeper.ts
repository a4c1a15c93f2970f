import { type Clock, sleep } from "../../platform/time/clock.ts";
import type { ClusterSnapshot, SnapshotReader } from "./cluster-snapshot.ts";

// Everything that is shown is read at most this often, and takes at most a twentieth of the time
// while that leaves it young enough for people.
const freshMsMin = 2_000;
const freshMsMax = 12_000;
const share = 20;
/** An answer may be this much older, as long as a newer one is on its way. */
const graceMs = 10_000;

interface Known {
  readonly snapshot: ClusterSnapshot;
  /** When its reading was begun. */
  readonly begunMs: number;
  readonly validUntilMs: number;
}

interface Reading {
  readonly begunMs: number;
  readonly snapshot: Promise<ClusterSnapshot>;
}

/** Keeps the newest snapshot of a cluster and reads the next when it is due. */
export class SnapshotKeeper {
  readonly #reader: Pick<SnapshotReader, "read">;
  readonly #clock: Clock;
  #known: Known | undefined;
  #reading: Reading | undefined;

  constructor(reader: Pick<SnapshotReader, "read">, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** The cluster as it was a moment ago; nobody waits for a newer look when there is a fresh enough one. */
  async get(): Promise<ClusterSnapshot> {
    const known = this.#known;
    const nowMs = this.#clock.monotonicMs();
    if (known !== undefined && nowMs < known.validUntilMs) return known.snapshot;
    const { snapshot } = this.#readNow();
    if (known !== undefined && nowMs < known.validUntilMs + graceMs) {
      // Whoever needs it next hears of the failure, if it lasts.
      snapshot.catch(() => {});
      return known.snapshot;
    }
    return await snapshot;
  }

  /**
   * A snapshot whose reading was begun after this moment of the monotonic clock; waits until one is due.
   *
   * @throws the signal's reason when that aborts; whatever the reader throws.
   */
  async getSince(sinceMs: number, signal: AbortSignal): Promise<ClusterSnapshot> {
    for (;;) {
      signal.throwIfAborted();
      const reading = this.#reading;
      if (reading !== undefined) {
        if (reading.begunMs > sinceMs) return await reading.snapshot;
        // Its failure is for those who asked for it.
        await reading.snapshot.catch(() => {});
        continue;
      }
      const known = this.#known;
      if (known !== undefined && known.begunMs > sinceMs) return known.snapshot;
      const dueMs = Math.max(known?.validUntilMs ?? 0, sinceMs + 1);
      const waitMs = dueMs - this.#clock.monotonicMs();
      if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
      else this.#readNow().snapshot.catch(() => {});
    }
  }

  /** The reading under way, or one that begins now. */
  #readNow(): Reading {
    this.#reading ??= this.#begin();
    return this.#reading;
  }

  #begin(): Reading {
    const begunMs = this.#clock.monotonicMs();
    const snapshot = this.#reader
      .read()
      .then((found) => {
        const endMs = this.#clock.monotonicMs();
        const freshMs = Math.min(freshMsMax, Math.max(freshMsMin, share * (endMs - begunMs)));
        this.#known = { snapshot: found, begunMs, validUntilMs: endMs + freshMs };
        return found;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return { begunMs, snapshot };
  }
}
