import { createRng, type RngStream } from "../../../platform/rng/index.ts";
import type { Breakage } from "./breakage.ts";
import type { Effect } from "./effect.ts";
import { linksOf, type Touches } from "./links.ts";

/** What was kept of them; more are only counted. */
const effectsMax = 1000;

/** A breakage in force, until `ended`. */
export interface ActiveBreakage {
  readonly breakage: Breakage;
  /** Which links it touches; for a breakage of devices none. */
  readonly touches: Touches;
  /** Its own chance, where it has some. */
  readonly chance: RngStream | undefined;
  /** The first of what it did to operations. */
  readonly effects: Effect[];
  /** How often it did something. */
  met: number;
  /** Collectives that went by. */
  passed: number;
  ended: boolean;
}

export function activate(given: Breakage): ActiveBreakage {
  // A copy: one literal may be in force twice, and each has effects of its own.
  const breakage = { ...given };
  const isOfLinks = breakage.kind === "cut" || breakage.kind === "slow";
  const seed = seedOf(breakage);
  return {
    breakage,
    touches: isOfLinks ? linksOf(breakage) : () => false,
    chance: seed === undefined ? undefined : createRng(seed).stream("fault", breakage.kind),
    effects: [],
    met: 0,
    passed: 0,
    ended: false,
  };
}

export function noteOn(active: ActiveBreakage, effect: Effect): void {
  active.met++;
  if (active.effects.length < effectsMax) active.effects.push(effect);
}

function seedOf(breakage: Breakage): string | number | undefined {
  if (breakage.kind === "slow") return breakage.jitter?.seed;
  return breakage.kind === "collective" ? breakage.chance?.seed : undefined;
}
