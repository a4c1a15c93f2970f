import { isLoud, type StateSpace } from "./states.ts";

/** How often things happen per busy hour, by state; learned as the replay goes. */
export interface Rates {
  /** Crashes a node causes, by state. */
  readonly crash: Float64Array;
  /** Kernel events by xid, then by state. */
  readonly kernel: Map<number, Float64Array>;
  /** Crashes and kernel events together, by state: what quiet hours speak against. */
  readonly total: Float64Array;
  /** Share of new defects that begin in a state; 0 for the sound one. */
  readonly share: Float64Array;
  /** New defects per node and hour, over the fleet. */
  onsetPerHour: number;
}

/** What is believed before anything is seen, and how many hours of seeing it is worth. */
export const prior = {
  onsetPerHour: 6 / 1000 / 24,
  onsets: 1,
  soundCrashPerHour: 0.003,
  soundHours: 500,
  loudCrashPerHour: 0.08,
  loudHours: 60,
  /** Share of defects that never show themselves. */
  quietShare: 0.1,
  /** What the pooled figures of all kinds count for within one kind, in hours and defects. */
  pooledHours: 60,
  pooledDefects: 4,
  quietDefects: 2,
} as const;

/** XIDs that NVIDIA and the field's tools count as the hardware's; others are mostly programs'. */
const hardwareXids = new Set([
  48, 54, 61, 62, 63, 64, 74, 79, 92, 94, 95, 109, 110, 119, 120, 121, 136, 140, 143, 145, 149, 151,
  154, 155, 156, 158,
]);
const programXids = new Set([8, 13, 31, 32, 43, 45, 68, 69]);

/** Rates of a kernel event before it was learned: how often it says something. */
export function kernelPrior(xid: number): { readonly sound: number; readonly loud: number } {
  if (hardwareXids.has(xid)) return { sound: 0.0002, loud: 0.01 };
  if (programXids.has(xid)) return { sound: 0.002, loud: 0.004 };
  return { sound: 0.0005, loud: 0.005 };
}

/** The rates before anything is seen. */
export function initialRates(space: StateSpace): Rates {
  const { states } = space;
  const rates: Rates = {
    crash: new Float64Array(states),
    kernel: new Map(),
    total: new Float64Array(states),
    share: new Float64Array(states),
    onsetPerHour: prior.onsetPerHour,
  };
  forgetRates(rates, space);
  return rates;
}

/** Puts rates back to what they were before anything was seen. */
export function forgetRates(rates: Rates, { kinds, states }: StateSpace): void {
  rates.onsetPerHour = prior.onsetPerHour;
  rates.kernel.clear();
  for (let state = 0; state < states; state++) {
    const loud = isLoud(state);
    rates.crash[state] = loud ? prior.loudCrashPerHour : prior.soundCrashPerHour;
    const quiet = loud ? 1 - prior.quietShare : prior.quietShare;
    rates.share[state] = state === 0 ? 0 : quiet / kinds.length;
  }
  sumRates(rates);
}

/** The rates of a kernel event by state; an xid never seen before gets what its class suggests. */
export function kernelRates(rates: Rates, xid: number): Float64Array {
  let known = rates.kernel.get(xid);
  if (known === undefined) {
    const { sound, loud } = kernelPrior(xid);
    known = rates.crash.map((_, state) => (isLoud(state) ? loud : sound));
    rates.kernel.set(xid, known);
    sumRates(rates);
  }
  return known;
}

/** Brings the totals up to date. */
export function sumRates({ crash, kernel, total }: Rates): void {
  total.set(crash);
  for (const byState of kernel.values()) {
    for (let state = 0; state < total.length; state++) {
      total[state] = (total[state] ?? 0) + (byState[state] ?? 0);
    }
  }
}
