import assert from "node:assert/strict";

/** How much somebody may do: so many a second in the long run, so many at once. */
export interface Rate {
  readonly perSecond: number;
  /** How many may come at once after a quiet time. */
  readonly burst: number;
}

/** What is left for somebody. A new one is full. */
export interface Bucket {
  readonly tokens: number;
  /** When `tokens` was true, by the monotonic clock. */
  readonly atMs: number;
}

export type Taken =
  | { readonly isAllowed: true; readonly bucket: Bucket }
  | { readonly isAllowed: false; readonly bucket: Bucket; readonly waitMs: number };

/** Takes one from the bucket, or says how long to wait until there is one. */
export function take(bucket: Bucket | undefined, rate: Rate, nowMs: number): Taken {
  const now = refill(bucket, rate, nowMs);
  if (now.tokens >= 1) {
    return { isAllowed: true, bucket: { tokens: now.tokens - 1, atMs: now.atMs } };
  }
  const waitMs = Math.ceil(((1 - now.tokens) / rate.perSecond) * 1000);
  return { isAllowed: false, bucket: now, waitMs };
}

/** The bucket as it is now; `undefined` stands for one that nobody has used. */
export function refill(bucket: Bucket | undefined, rate: Rate, nowMs: number): Bucket {
  assert(rate.perSecond > 0 && rate.burst >= 1, "a rate lets something through");
  if (bucket === undefined) return { tokens: rate.burst, atMs: nowMs };
  // A clock that stands still or goes back gives nothing and takes nothing.
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(rate.burst, bucket.tokens + (elapsedMs / 1000) * rate.perSecond);
  return { tokens, atMs: Math.max(nowMs, bucket.atMs) };
}
