import { kernelPrior, prior, type Rates, sumRates } from "./rates.ts";
import type { Counts } from "./smooth.ts";
import { isLoud, type StateSpace } from "./states.ts";

/** New rates from expected counts. Kinds with few defects lean on all kinds, all lean on the prior. */
export function learnRates(rates: Rates, counts: Counts, space: StateSpace): void {
  fit(rates.crash, counts.crashes, counts.busyHours, {
    sound: prior.soundCrashPerHour,
    loud: prior.loudCrashPerHour,
  });
  for (const [xid, byState] of rates.kernel) {
    const seen = counts.kernel.get(xid) ?? new Float64Array(space.states);
    fit(byState, seen, counts.busyHours, kernelPrior(xid));
  }
  learnOnsets(rates, counts, space);
  sumRates(rates);
}

function fit(
  byState: Float64Array,
  events: Float64Array,
  hours: Float64Array,
  before: { readonly sound: number; readonly loud: number },
): void {
  const pool = { soundEvents: 0, soundHours: 0, loudEvents: 0, loudHours: 0 };
  for (let state = 0; state < byState.length; state++) {
    if (isLoud(state)) {
      pool.loudEvents += events[state] ?? 0;
      pool.loudHours += hours[state] ?? 0;
    } else {
      pool.soundEvents += events[state] ?? 0;
      pool.soundHours += hours[state] ?? 0;
    }
  }
  const sound =
    (before.sound * prior.soundHours + pool.soundEvents) / (prior.soundHours + pool.soundHours);
  const loud =
    (before.loud * prior.loudHours + pool.loudEvents) / (prior.loudHours + pool.loudHours);
  for (let state = 0; state < byState.length; state++) {
    const own =
      (loud * prior.pooledHours + (events[state] ?? 0)) / (prior.pooledHours + (hours[state] ?? 0));
    // A loud state that is quieter than a sound one would turn the meaning of signs around.
    byState[state] = isLoud(state) ? Math.max(own, sound) : sound;
  }
}

function learnOnsets(rates: Rates, counts: Counts, { kinds, states }: StateSpace): void {
  const total = counts.onsets.reduce((sum, one) => sum + one, 0);
  rates.onsetPerHour =
    (prior.onsets + total) / (prior.onsets / prior.onsetPerHour + counts.soundHours);
  let quiet = prior.quietShare * prior.quietDefects;
  for (let state = 1; state < states; state++)
    if (!isLoud(state)) quiet += counts.onsets[state] ?? 0;
  const quietShare = quiet / (prior.quietDefects + total);
  for (let loud = 1; loud < states; loud += 2) {
    const ofKind = (counts.onsets[loud] ?? 0) + (counts.onsets[loud + 1] ?? 0);
    const kindShare = (prior.pooledDefects / kinds.length + ofKind) / (prior.pooledDefects + total);
    const quietOfKind =
      (prior.pooledDefects * quietShare + (counts.onsets[loud + 1] ?? 0)) /
      (prior.pooledDefects + ofKind);
    rates.share[loud] = kindShare * (1 - quietOfKind);
    rates.share[loud + 1] = kindShare * quietOfKind;
  }
}
