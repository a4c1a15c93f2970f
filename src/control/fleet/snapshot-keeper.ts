import type { Clock } from "../../platform/time/clock.ts";
import type { ClusterSnapshot, SnapshotReader } from "./cluster-snapshot.ts";

// Everything that is shown is read at most this often, and takes at most a twentieth of the time.
const ageMsMin = 2_000;
const share = 20;
/** An answer may be this much older, as long as a newer one is on its way. */
const graceMs = 10_000;

interface Known {
  readonly snapshot: ClusterSnapshot;
  readonly validUntilMs: number;
}

/** Keeps the newest snapshot of a cluster and reads the next when it is due. */
export class SnapshotKeeper {
  readonly #reader: Pick<SnapshotReader, "read">;
  readonly #clock: Clock;
  #known: Known | undefined;
  #reading: Promise<ClusterSnapshot> | undefined;

  constructor(reader: Pick<SnapshotReader, "read">, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** The cluster as it was a moment ago; nobody waits for a newer look when there is a fresh enough one. */
  async get(): Promise<ClusterSnapshot> {
    const known = this.#known;
    const nowMs = this.#clock.monotonicMs();
    if (known !== undefined && nowMs < known.validUntilMs) return known.snapshot;
    const reading = this.renew();
    if (known !== undefined && nowMs < known.validUntilMs + graceMs) {
      // Whoever needs it next hears of the failure, if it lasts.
      reading.catch(() => {});
      return known.snapshot;
    }
    return await reading;
  }

  /** Reads anew, unless the last look is fresh enough. */
  async renew(): Promise<ClusterSnapshot> {
    const known = this.#known;
    if (known !== undefined && this.#clock.monotonicMs() < known.validUntilMs)
      return known.snapshot;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return await this.#reading;
  }

  async #read(): Promise<ClusterSnapshot> {
    const startMs = this.#clock.monotonicMs();
    const snapshot = await this.#reader.read();
    const tookMs = this.#clock.monotonicMs() - startMs;
    this.#known = { snapshot, validUntilMs: startMs + Math.max(ageMsMin, tookMs * share) };
    return snapshot;
  }
}
