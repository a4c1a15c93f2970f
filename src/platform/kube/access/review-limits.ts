import type { CallOptions } from "../http/requester.ts";

/** Somebody waits for it with a request of their own, and may ask again: once, and not for long. */
export const reviewLimits: CallOptions = { timeoutMs: 5_000, retryForMs: 0 };
