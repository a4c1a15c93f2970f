import type { RetryDecision } from "../../time/index.ts";
import { kubeFailureOf } from "./failure.ts";

/**
 * Whether a failed request may be tried again. A request that cannot have acted may always; one
 * that may have acted only when doing it twice is the same as doing it once.
 */
export function retryDecision(
  error: unknown,
  request: { readonly repeatable: boolean },
): RetryDecision {
  const failure = kubeFailureOf(error);
  if (failure === undefined) return false;
  const { status, retryAfterMs } = failure;
  const transient = status === undefined || status === 429 || status === 408 || status >= 500;
  if (!transient || (failure.mayHaveActed && !request.repeatable)) return false;
  return retryAfterMs === undefined ? true : { afterMs: retryAfterMs };
}
