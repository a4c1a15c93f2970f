import { keepDoubt, repairShare, weigh } from "./filter.ts";
import { blameOfOthers, type Sign } from "./history.ts";
import { kernelRates, type Rates } from "./rates.ts";
import type { StateSpace } from "./states.ts";

/** How much likelier a public repair is on a broken node, and how often it mends it. */
const repair = { brokenToSound: 5, mends: 0.9 } as const;

/**
 * However many signs there are, a node may be sound with this chance. Signs come together for reasons
 * that no model knows; without doubt, no number of passed tests would ever clear the node.
 */
const soundMin = 0.02;

/** How likely a state makes a sign; only the proportions between states matter. */
export function likelihoodOf(
  sign: Sign,
  { space, rates }: { readonly space: StateSpace; readonly rates: Rates },
): (state: number) => number {
  if (sign.type === "crash") {
    const others = blameOfOthers(sign.crash, sign.place);
    return (state) => (rates.crash[state] ?? 0) + others;
  }
  if (sign.type === "kernel") {
    const byState = kernelRates(rates, sign.xid);
    return (state) => byState[state] ?? 0;
  }
  if (sign.type === "repair") return (state) => (state === 0 ? 1 : repair.brokenToSound);
  const finds = space.findsBy[sign.check] ?? new Float64Array();
  return sign.type === "found"
    ? (state) => Math.max(1e-12, finds[state] ?? 0)
    : (state) => 1 - Math.min(finds[state] ?? 0, 1 - 1e-6);
}

/** The share of a broken state that is sound after the sign. */
export function mendedBy(sign: Sign): number {
  return sign.type === "found" ? 1 : sign.type === "repair" ? repair.mends : 0;
}

/** Takes a sign into what is believed of a node. */
export function takeSign(
  belief: Float64Array,
  sign: Sign,
  model: { readonly space: StateSpace; readonly rates: Rates },
): void {
  weigh(belief, likelihoodOf(sign, model));
  if (sign.type === "crash" || sign.type === "kernel") keepDoubt(belief, soundMin);
  const mended = mendedBy(sign);
  if (mended > 0) repairShare(belief, mended);
}
