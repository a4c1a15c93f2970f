/** A share of successes with the range that the true share is likely in. */
export interface ShareInterval {
  readonly successes: number;
  readonly trials: number;
  /** Null without a single trial. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/** Of a normal distribution, for an interval that holds in 95 of 100 cases. */
const z95 = 1.959963984540054;

/**
 * Wilson's score interval: honest for few trials and for shares near 0 and 1, where the usual one
 * claims certainty. Without a trial it is everything.
 *
 * @param z of the confidence wanted. @default 95 %
 */
export function wilsonInterval(successes: number, trials: number, z = z95): ShareInterval {
  if (trials === 0) return { successes, trials, share: null, low: 0, high: 1 };
  const share = successes / trials;
  const square = z * z;
  const centre = (share + square / (2 * trials)) / (1 + square / trials);
  const half =
    (z / (1 + square / trials)) *
    Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials));
  return {
    successes,
    trials,
    share,
    // Rounding must not push the ends past the share itself.
    low: Math.max(0, Math.min(share, centre - half)),
    high: Math.min(1, Math.max(share, centre + half)),
  };
}
