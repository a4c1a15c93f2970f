import { TesseraError } from "../../errors/index.ts";
import type { Clock } from "../../time/clock.ts";
import { type Bucket, type Rate, take } from "./bucket.ts";

/** What is counted apart. */
export type RateKind = "reads" | "changes" | "failed-tokens";

export type RateLimits = Readonly<Record<RateKind, Rate>>;

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly limits: RateLimits;
  /** Callers remembered for each kind; who was quiet the longest is forgotten first. @default 10 000 */
  readonly callersMax?: number;
  /** Called for each refusal, for metrics. */
  readonly onRefuse?: (kind: RateKind) => void;
}

const callersMaxDefault = 10_000;

/** Keeps each caller to its share. What a forgotten caller had used is forgiven. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #callersMax: number;
  readonly #buckets: Readonly<Record<RateKind, Map<string, Bucket>>> = {
    reads: new Map(),
    changes: new Map(),
    "failed-tokens": new Map(),
  };

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#callersMax = options.callersMax ?? callersMaxDefault;
  }

  /** Counts one call. @throws TesseraError E_RATE_LIMITED when the caller has used up its share */
  use(kind: RateKind, caller: string): void {
    const { clock, limits } = this.#options;
    const taken = take(this.#buckets[kind].get(caller), limits[kind], clock.monotonicMs());
    this.#keep(kind, caller, taken.bucket);
    if (!taken.isAllowed) throw this.#refusal(kind, taken.waitMs);
  }

  /** One call turned out not to be of this kind. */
  giveBack(kind: RateKind, caller: string): void {
    const bucket = this.#buckets[kind].get(caller);
    if (bucket === undefined) return;
    const tokens = Math.min(this.#options.limits[kind].burst, bucket.tokens + 1);
    this.#keep(kind, caller, { ...bucket, tokens });
  }

  #keep(kind: RateKind, caller: string, bucket: Bucket): void {
    const buckets = this.#buckets[kind];
    // A map keeps the order of insertion: the newest user moves to the end.
    buckets.delete(caller);
    buckets.set(caller, bucket);
    if (buckets.size <= this.#callersMax) return;
    for (const oldest of buckets.keys()) {
      buckets.delete(oldest);
      break;
    }
  }

  #refusal(kind: RateKind, waitMs: number): TesseraError {
    this.#options.onRefuse?.(kind);
    const { perSecond } = this.#options.limits[kind];
    const waitS = Math.max(1, Math.ceil(waitMs / 1000));
    return new TesseraError("E_RATE_LIMITED", { what: nameOf[kind], perSecond, waitS });
  }
}

const nameOf: Readonly<Record<RateKind, string>> = {
  reads: "reads",
  changes: "changes",
  "failed-tokens": "calls with a token that is not good",
};
