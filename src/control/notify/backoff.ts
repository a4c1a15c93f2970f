const firstMs = 5_000;
const longestMs = 15 * 60_000;
/** What a server asks for beyond this is not believed. */
const askedMsMax = 60 * 60_000;

/** How long to wait before the next attempt. */
export function backoffMs(
  attempt: number,
  options: { readonly askedMs?: number | undefined; readonly chance: number },
): number {
  const boundMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  // At least half of it, so that a server in trouble gets the rest that the doubling is for.
  const ownMs = boundMs * (0.5 + 0.5 * options.chance);
  if (options.askedMs === undefined) return ownMs;
  return Math.max(ownMs, Math.min(options.askedMs, askedMsMax));
}

/** Reads a Retry-After header: seconds, or a date. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
