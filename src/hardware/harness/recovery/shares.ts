import type { RequestSample } from "./sampler.ts";
import { type ShareInterval, wilsonInterval } from "./wilson.ts";

/** How well a service served before, during and after a fault. */
export interface ServiceShares {
  readonly before: ShareInterval;
  readonly during: ShareInterval;
  readonly after: ShareInterval;
  /** How many more could not be asked in each window: they are in no share, and may have failed. */
  readonly unknown: Readonly<Record<"before" | "during" | "after", number>>;
  /** The longest stretch without a single success, from the last before it to the first after it. */
  readonly longestGapMs: number;
  /** The same if every request had failed that could not be asked. */
  readonly longestGapMsMost: number;
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
  const between = (fromMs: number, toMs: number) =>
    windowOf(samples.filter(({ sentMs }) => sentMs >= fromMs && sentMs < toMs));
  const backMs = servingMs ?? Number.POSITIVE_INFINITY;
  const before = between(Number.NEGATIVE_INFINITY, injectedMs);
  const during = between(injectedMs, backMs);
  const after = between(backMs, Number.POSITIVE_INFINITY);
  const worst = samples.map((sample): RequestSample => {
    return sample.outcome === "unknown" ? { ...sample, outcome: "failed" } : sample;
  });
  return {
    before: before.share,
    during: during.share,
    after: after.share,
    unknown: { before: before.unknown, during: during.unknown, after: after.unknown },
    longestGapMsMost: gapsOf(worst).longestGapMs,
    ...gapsOf(samples),
  };
}

function windowOf(samples: readonly RequestSample[]): {
  readonly share: ShareInterval;
  readonly unknown: number;
} {
  const counted = (wanted: RequestSample["outcome"]) =>
    samples.filter(({ outcome }) => outcome === wanted).length;
  const unknown = counted("unknown");
  return { share: wilsonInterval(counted("ok"), samples.length - unknown), unknown };
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
