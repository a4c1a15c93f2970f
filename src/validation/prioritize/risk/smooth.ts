import { entering, passQuiet, type Quiet } from "./filter.ts";
import { type Entry, entriesMax, type NodeHistory } from "./history.ts";
import type { Rates } from "./rates.ts";
import { likelihoodOf, mendedBy, takeSign } from "./signs.ts";
import type { StateSpace } from "./states.ts";

/** Expected counts over all nodes, given everything seen so far: what rates are learned from. */
export interface Counts {
  readonly busyHours: Float64Array;
  readonly crashes: Float64Array;
  readonly kernel: Map<number, Float64Array>;
  readonly onsets: Float64Array;
  soundHours: number;
}

/** One node to look back over. */
export interface NodeToSmooth {
  readonly history: NodeHistory;
  readonly initial: Float64Array;
  readonly onsetPerHour: number;
  readonly nowS: number;
}

/**
 * Looks back over nodes: what each was at each sign, knowing what came later. One of these serves a
 * whole fleet; its buffers are used for every node.
 */
export class Smoother {
  readonly counts: Counts;
  readonly #space: StateSpace;
  readonly #rates: Rates;
  /** Row i: what was believed just before, and just after, sign i; `after` begins with the start. */
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  /** How likely each state makes everything that came later. */
  readonly #later: Float64Array;
  readonly #cavity: Float64Array;
  readonly #entered: Float64Array;

  constructor(space: StateSpace, rates: Rates) {
    const { states } = space;
    this.#space = space;
    this.#rates = rates;
    this.#before = new Float64Array((entriesMax + 1) * states);
    this.#after = new Float64Array((entriesMax + 2) * states);
    this.#later = new Float64Array(states);
    this.#cavity = new Float64Array(states);
    this.#entered = new Float64Array(states);
    this.counts = {
      busyHours: new Float64Array(states),
      crashes: new Float64Array(states),
      kernel: new Map(),
      onsets: new Float64Array(states),
      soundHours: 0,
    };
  }

  /**
   * Adds a node to the counts, renews its share of blame in its crashes, and returns what is believed
   * of it now and how many defects it is expected to have had.
   */
  add(node: NodeToSmooth): { readonly belief: Float64Array; readonly onsets: number } {
    const { onsetPerHour } = node;
    const { entries } = node.history;
    const { states } = this.#space;
    const model = { space: this.#space, rates: this.#rates };
    const belief = node.initial.slice();
    this.#after.set(belief, 0);
    entries.forEach(({ hours, busyHours, sign }, at) => {
      passQuiet(belief, this.#rates, { hours, busyHours, onsetPerHour });
      this.#before.set(belief, at * states);
      takeSign(belief, sign, model);
      this.#after.set(belief, (at + 1) * states);
    });
    const last = { ...node.history.quietUntil(node.nowS), onsetPerHour };
    passQuiet(belief, this.#rates, last);

    this.#later.fill(1);
    let onsets = this.#backOverQuiet(last, entries.length * states);
    for (let at = entries.length - 1; at >= 0; at--) {
      const entry = entries[at];
      if (entry === undefined) continue;
      this.#backOverSign(entry, at * states);
      const { hours, busyHours } = entry;
      onsets += this.#backOverQuiet({ hours, busyHours, onsetPerHour }, at * states);
    }
    return { belief, onsets };
  }

  /** Back over a sign: counts it for the states it may have come from. */
  #backOverSign({ sign }: Entry, row: number): void {
    const later = this.#later;
    const cavity = this.#cavity;
    const mended = mendedBy(sign);
    const likelihood = likelihoodOf(sign, { space: this.#space, rates: this.#rates });
    const soundLater = later[0] ?? 0;
    let sum = 0;
    let weighed = 0;
    for (let state = 0; state < later.length; state++) {
      const through = (1 - mended) * (later[state] ?? 0) + mended * soundLater;
      const chance = (this.#before[row + state] ?? 0) * through;
      const likely = likelihood(state);
      cavity[state] = chance;
      later[state] = through * likely;
      sum += chance;
      weighed += chance * likely;
    }
    if (sum <= 0 || weighed <= 0) return;
    if (sign.type === "crash") {
      const { crash, place } = sign;
      let blame = 0;
      for (let state = 0; state < later.length; state++) {
        const rate = this.#rates.crash[state] ?? 0;
        blame += (cavity[state] ?? 0) * rate;
        // Posterior times rate / (rate + others), in which the likelihood cancels out.
        add(this.counts.crashes, state, ((cavity[state] ?? 0) * rate) / weighed);
      }
      crash.blame[place] = blame / sum;
    } else if (sign.type === "kernel") this.#countKernel(sign.xid, likelihood, weighed);
  }

  #countKernel(xid: number, likelihood: (state: number) => number, weighed: number): void {
    const byState = this.counts.kernel.get(xid) ?? new Float64Array(this.#space.states);
    this.counts.kernel.set(xid, byState);
    for (let state = 0; state < byState.length; state++) {
      add(byState, state, ((this.#cavity[state] ?? 0) * likelihood(state)) / weighed);
    }
  }

  /** Back over a quiet stretch: counts its hours by state, and returns the defects that began in it. */
  #backOverQuiet({ hours, busyHours, onsetPerHour }: Quiet, row: number): number {
    const later = this.#later;
    const { counts } = this;
    const { total: totals, share } = this.#rates;
    const broken = onsetPerHour * hours;
    const base = totals[0] ?? 0;
    const sound = this.#after[row] ?? 0;
    const staying = Math.exp(-broken) * (later[0] ?? 0);
    let earlierSound = staying;
    let total = sound * staying;
    let largest = 0;
    for (let state = 1; state < later.length; state++) {
      const against = ((totals[state] ?? 0) - base) * busyHours;
      const stay = Math.exp(-against);
      const ahead = later[state] ?? 0;
      const enter = broken * (share[state] ?? 0) * entering(broken, against, stay) * ahead;
      this.#entered[state] = sound * enter;
      later[state] = stay * ahead;
      earlierSound += enter;
      total += sound * enter + (this.#after[row + state] ?? 0) * stay * ahead;
      largest = Math.max(largest, stay * ahead);
    }
    later[0] = earlierSound;
    largest = Math.max(largest, earlierSound);
    let onsets = 0;
    let soundShare = (sound * staying) / total;
    for (let state = 1; state < later.length; state++) {
      const began = (this.#entered[state] ?? 0) / total;
      const was = ((this.#after[row + state] ?? 0) * (later[state] ?? 0)) / total;
      const rest = restAfterOnset(((totals[state] ?? 0) - base) * busyHours - broken);
      add(counts.busyHours, state, busyHours * (was + began * rest));
      add(counts.onsets, state, began);
      soundShare += began * (1 - rest);
      onsets += began;
      later[state] = (later[state] ?? 0) / largest;
    }
    later[0] = earlierSound / largest;
    add(counts.busyHours, 0, busyHours * soundShare);
    counts.soundHours += hours * soundShare;
    return onsets;
  }
}

/** Which share of a stretch is expected to remain after an onset in it: mean of y under exp(-g·y). */
function restAfterOnset(gap: number): number {
  if (Math.abs(gap) < 1e-4) return 0.5 - gap / 12;
  return 1 / gap - 1 / Math.expm1(gap);
}

function add(counts: Float64Array, at: number, amount: number): void {
  counts[at] = (counts[at] ?? 0) + amount;
}
