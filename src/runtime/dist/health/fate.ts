import { type ActiveBreakage, noteOn } from "./active.ts";
import type { Corrupt } from "./breakage.ts";

/** What happens to one collective, as decided when it began. */
export interface Fate {
  /** Nobody is answered, and all give up after this. */
  readonly droppedAfterMs: number | undefined;
  /** Added to its time. */
  readonly delayUs: number;
  /** Wrong bits in what devices hand in. */
  readonly corruptions: readonly Corrupt[];
  /** It was dropped, and nothing else had stopped it before. */
  noteDropped(): void;
  /** It took place, later than it would have. */
  noteDelayed(): void;
}

const nothing = () => undefined;

export const untouched: Fate = {
  droppedAfterMs: undefined,
  delayUs: 0,
  corruptions: [],
  noteDropped: nothing,
  noteDelayed: nothing,
};

// Wrong bits are made for one collective each; this finds what they come from.
const origins = new WeakMap<Corrupt, ActiveBreakage>();

/** Whether wrong bits of a collective come from this breakage. */
export function isMadeBy(corrupt: object, active: ActiveBreakage): boolean {
  return origins.get(corrupt as Corrupt) === active;
}

/** Decides what happens to the collective that begins now: every breakage of collectives counts it once. */
export function fateOf(active: readonly ActiveBreakage[], op: string): Fate {
  const drops: ActiveBreakage[] = [];
  const delays: ActiveBreakage[] = [];
  const corruptions: Corrupt[] = [];
  let droppedAfterMs: number | undefined;
  let delayUs = 0;
  for (const one of active) {
    const { breakage } = one;
    if (breakage.kind !== "collective" || !happens(one, op)) continue;
    const { fate } = breakage;
    if (fate.kind === "drop") {
      droppedAfterMs = Math.min(droppedAfterMs ?? Number.POSITIVE_INFINITY, fate.timeoutMs);
      drops.push(one);
    } else if (fate.kind === "delay") {
      delayUs += fate.delayUs;
      delays.push(one);
    } else {
      const { device, element, bit } = fate;
      const corrupt: Corrupt = { kind: "corrupt", device, element, bit, when: op };
      origins.set(corrupt, one);
      corruptions.push(corrupt);
    }
  }
  return {
    droppedAfterMs,
    delayUs,
    corruptions,
    noteDropped: () => {
      for (const one of drops) noteOn(one, { op, what: "failed", text: `${op} was dropped` });
    },
    noteDelayed: () => {
      const text = `${op} was delayed by ${delayUs} us`;
      for (const one of delays) noteOn(one, { op, what: "slowed", text });
    },
  };
}

function happens(active: ActiveBreakage, op: string): boolean {
  const { breakage, chance, met } = active;
  if (active.ended || breakage.kind !== "collective") return false;
  // A message between two ranks is no collective, unless it is asked for by name.
  const { when } = breakage;
  if (when === undefined ? op === "send-recv" : when !== op) return false;
  const nth = ++active.passed;
  // Drawn for each that passes, so that which ones are hit does not depend on a limit.
  const isDrawn = breakage.chance === undefined || (chance?.float() ?? 1) < breakage.chance.share;
  if (breakage.times !== undefined && met >= breakage.times) return false;
  return isDrawn && (breakage.nth === undefined || breakage.nth === nth);
}
