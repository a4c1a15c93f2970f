import type { FaultView } from "../../hardware/api/index.ts";
import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/clock.ts";
import { withDeadline } from "../../platform/time/index.ts";
import type { OpenedFaultApi } from "./open-client.ts";

/** The faults there are, or why nobody can tell. */
export type FaultLook =
  | { readonly known: true; readonly faults: readonly FaultView[] }
  | {
      readonly known: false;
      readonly reason: string;
      /** There is a fault API, and it was asked in vain. */
      readonly isFailure: boolean;
    };

const lookMs = 5_000;
/** Within this many milliseconds a look is as good as a new one. */
const freshMs = 1_000;
/** So long those who want an answer at once wait for the first look of all. */
const firstMs = 300;

/** Looks at the fault API, one look at a time; those who ask at once share one. */
export class FaultLooks {
  readonly #api: OpenedFaultApi | undefined;
  readonly #clock: Clock;
  #last: { readonly begunMs: number; readonly look: FaultLook } | undefined;
  #underWay: Promise<FaultLook> | undefined;
  #next: Promise<FaultLook> | undefined;

  constructor(api: OpenedFaultApi | undefined, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /**
   * Waits for a look that is fresh, or with `anew` for one that begins after this call. Never rejects.
   */
  look(options: { readonly anew?: boolean } = {}): Promise<FaultLook> {
    const underWay = this.#underWay;
    if (options.anew !== true) {
      const last = this.#freshLast();
      if (this.#next !== undefined) return this.#next;
      return underWay ?? (last === undefined ? this.#begin() : Promise.resolve(last));
    }
    if (underWay === undefined) return this.#begin();
    this.#next ??= underWay.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  /** What the last look has shown, at once; the next is under way when that is old. Never rejects. */
  async now(): Promise<FaultLook> {
    const fresh = this.#freshLast();
    if (fresh !== undefined) return fresh;
    const next = this.look();
    if (this.#last !== undefined) return this.#last.look;
    const stop = new AbortController();
    const pending: FaultLook = {
      known: false,
      reason: "the fault API has not answered yet",
      isFailure: false,
    };
    const first = sleep(this.#clock, firstMs, stop.signal).then(
      () => pending,
      () => pending,
    );
    const found = await Promise.race([next, first]);
    stop.abort();
    return found;
  }

  #freshLast(): FaultLook | undefined {
    const last = this.#last;
    const isFresh = last !== undefined && this.#clock.monotonicMs() - last.begunMs < freshMs;
    return isFresh ? last.look : undefined;
  }

  #begin(): Promise<FaultLook> {
    const begunMs = this.#clock.monotonicMs();
    const underWay = this.#look().then((look) => {
      this.#last = { begunMs, look };
      this.#underWay = undefined;
      return look;
    });
    this.#underWay = underWay;
    return underWay;
  }

  async #look(): Promise<FaultLook> {
    const api = this.#api;
    if (api === undefined) {
      return {
        known: false,
        reason: "`hardware.faultApiUrl` is not set: no fault API is known.",
        isFailure: false,
      };
    }
    const clock = this.#clock;
    try {
      const faults = await withDeadline(
        { clock, timeoutMs: lookMs, what: "The list of faults" },
        (signal) => api.client.list({}, { signal }),
      );
      return { known: true, faults };
    } catch (error) {
      return { known: false, reason: messageOf(error), isFailure: true };
    }
  }
}
