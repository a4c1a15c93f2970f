import type { FaultView } from "../../hardware/api/index.ts";
import { messageOf } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { withDeadline } from "../../platform/time/index.ts";
import type { OpenedFaultApi } from "./open-client.ts";

/** The faults there are, or why nobody can tell. */
export type FaultLook =
  | { readonly known: true; readonly faults: readonly FaultView[] }
  | { readonly known: false; readonly reason: string };

const lookMs = 5_000;
/** Within this many milliseconds a look is as good as a new one. */
const freshMs = 1_000;

/** Looks at the fault API; those who ask at once share one look. */
export class FaultLooks {
  readonly #api: OpenedFaultApi | undefined;
  readonly #clock: Clock;
  #last: { readonly atMs: number; readonly look: Promise<FaultLook> } | undefined;

  constructor(api: OpenedFaultApi | undefined, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Never rejects. */
  look(options: { readonly anew?: boolean } = {}): Promise<FaultLook> {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#last;
    if (options.anew !== true && last !== undefined && nowMs - last.atMs < freshMs) {
      return last.look;
    }
    const look = this.#look();
    this.#last = { atMs: nowMs, look };
    return look;
  }

  async #look(): Promise<FaultLook> {
    const api = this.#api;
    if (api === undefined) {
      return { known: false, reason: "`hardware.faultApiUrl` is not set: no fault API is known." };
    }
    const clock = this.#clock;
    try {
      const faults = await withDeadline(
        { clock, timeoutMs: lookMs, what: "The list of faults" },
        (signal) => api.client.list({}, { signal }),
      );
      return { known: true, faults };
    } catch (error) {
      return { known: false, reason: messageOf(error) };
    }
  }
}
