import type { RequestSample } from "./sampler.ts";
import { type ShareInterval, wilsonInterval } from "./wilson.ts";

/** How well a service served before, during and after a fault. */
export interface ServiceShares {
  readonly before: ShareInterval;
  readonly during: ShareInterval;
  readonly after: ShareInterval;
  /** Requests that could not be asked: they are in no share. */
  readonly unknown: number;
  /** The longest stretch without a single success, from the last before it to the first after it. */
  readonly longestGapMs: number;
  /** All such stretches that a failed request lies in, together. */
  readonly withoutServiceMs: number;
}

/**
 * Sorts requests by when they were sent.
 *
 * @param moments when the fault was injected, and when the service was back; null when it was not,
 * so that everything since the fault counts as during it.
 */
export function sharesOf(
  samples: readonly RequestSample[],
  moments: { readonly injectedMs: number; readonly servingMs: number | null },
): ServiceShares {
  const { injectedMs, servingMs } = moments;
  const known = samples.filter(({ outcome }) => outcome !== "unknown");
  const between = (fromMs: number, toMs: number) =>
    shareOf(known.filter(({ sentMs }) => sentMs >= fromMs && sentMs < toMs));
  const backMs = servingMs ?? Number.POSITIVE_INFINITY;
  return {
    before: between(Number.NEGATIVE_INFINITY, injectedMs),
    during: between(injectedMs, backMs),
    after: between(backMs, Number.POSITIVE_INFINITY),
    unknown: samples.length - known.length,
    ...gapsOf(samples),
  };
}

function shareOf(samples: readonly RequestSample[]): ShareInterval {
  return wilsonInterval(samples.filter(({ outcome }) => outcome === "ok").length, samples.length);
}

/** Stretches without service. What could not be asked neither begins nor ends one. */
function gapsOf(
  samples: readonly RequestSample[],
): Pick<ServiceShares, "longestGapMs" | "withoutServiceMs"> {
  let lastOkMs = samples[0]?.sentMs;
  let hasFailed = false;
  let longestGapMs = 0;
  let withoutServiceMs = 0;
  const close = (untilMs: number) => {
    if (!hasFailed || lastOkMs === undefined) return;
    longestGapMs = Math.max(longestGapMs, untilMs - lastOkMs);
    withoutServiceMs += untilMs - lastOkMs;
  };
  for (const { outcome, sentMs } of samples) {
    if (outcome === "unknown") continue;
    if (outcome === "failed") {
      hasFailed = true;
      continue;
    }
    close(sentMs);
    lastOkMs = sentMs;
    hasFailed = false;
  }
  close(samples.at(-1)?.endedMs ?? 0);
  return { longestGapMs, withoutServiceMs };
}
