import type { Rates } from "./rates.ts";

/** A stretch of time in which nothing was seen of a node. */
export interface Quiet {
  readonly hours: number;
  /** Of these, the hours a job was on the node and nothing happened. */
  readonly busyHours: number;
  /** New defects per hour of this node. */
  readonly onsetPerHour: number;
}

/**
 * Moves what is believed of a node through a quiet stretch: it may have broken meanwhile, and every
 * busy hour without a sign speaks against the states that give signs.
 *
 * Exact for constant rates: sound decays at its own rate plus that of breaking; what breaks at an
 * hour decays from then on at the rate of its new state.
 *
 * @param belief chances by state, changed in place; they add up to 1 again afterwards.
 */
export function passQuiet(belief: Float64Array, rates: Rates, quiet: Quiet): void {
  const { hours, busyHours, onsetPerHour } = quiet;
  if (hours <= 0) return;
  const base = rates.total[0] ?? 0;
  const broken = onsetPerHour * hours;
  const sound = belief[0] ?? 0;
  let sum = 0;
  for (let state = 1; state < belief.length; state++) {
    const against = ((rates.total[state] ?? 0) - base) * busyHours;
    const stay = Math.exp(-against);
    const enter = entering(broken, against, stay);
    const next = (belief[state] ?? 0) * stay + sound * broken * (rates.share[state] ?? 0) * enter;
    belief[state] = next;
    sum += next;
  }
  belief[0] = sound * Math.exp(-broken);
  scale(belief, 1 / (sum + belief[0]));
}

/** The mean of exp(-(a·x + b·(1-x))) for x in [0, 1]; `expB` is exp(-b), which the caller has. */
export function entering(a: number, b: number, expB: number): number {
  const gap = b - a;
  const expA = Math.exp(-a);
  return Math.abs(gap) < 1e-9 ? expA : (expA - expB) / gap;
}

/** Multiplies each state's chance by how likely it makes what was seen. */
export function weigh(belief: Float64Array, likelihood: (state: number) => number): void {
  let sum = 0;
  for (let state = 0; state < belief.length; state++) {
    const next = (belief[state] ?? 0) * likelihood(state);
    belief[state] = next;
    sum += next;
  }
  // Something that no state allows says nothing about which state it is.
  if (sum > 0) scale(belief, 1 / sum);
  else belief.fill(0).fill(1, 0, 1);
}

/** Raises the chance of being sound to at least this. */
export function keepDoubt(belief: Float64Array, soundMin: number): void {
  const sound = belief[0] ?? 0;
  if (sound >= soundMin) return;
  scale(belief, (1 - soundMin) / (1 - sound));
  belief[0] = soundMin;
}

/** Moves this share of every broken state to sound. */
export function repairShare(belief: Float64Array, share: number): void {
  let moved = 0;
  for (let state = 1; state < belief.length; state++) {
    const part = (belief[state] ?? 0) * share;
    belief[state] = (belief[state] ?? 0) - part;
    moved += part;
  }
  belief[0] = (belief[0] ?? 0) + moved;
}

function scale(belief: Float64Array, factor: number): void {
  for (let state = 0; state < belief.length; state++) {
    belief[state] = (belief[state] ?? 0) * factor;
  }
}
