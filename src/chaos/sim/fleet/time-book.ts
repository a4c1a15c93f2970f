import assert from "node:assert/strict";

/** Where the time of a job goes; all of it goes to one of these. */
export const fleetTimeUses = [
  /** Steps that stayed, as long as they take when all is well. */
  "productive",
  /** How much longer those steps took: slow nodes, replicas that were away. */
  "slow",
  /** Saves that stayed. */
  "save",
  /** Steps and saves that did not stay. */
  "wasted",
  /** Until a failure is noticed. */
  "detect",
  /** Until the job computes again. */
  "restart",
  /** Without enough nodes. */
  "wait",
  /** Restarts that somebody planned. */
  "planned",
] as const;
export type FleetTimeUse = (typeof fleetTimeUses)[number];

interface Span {
  readonly fromUs: number;
  readonly toUs: number;
  /** How many times longer than when all is well; 0 for a save. */
  readonly pace: number;
}

/** As many spans as can wait for their fate: a few for each checkpoint that is kept. */
const spansMax = 2 ** 16;
const productive = fleetTimeUses.indexOf("productive");
const slow = fleetTimeUses.indexOf("slow");
const save = fleetTimeUses.indexOf("save");
const wasted = fleetTimeUses.indexOf("wasted");

/**
 * What time went to, in all and by windows. Computing and saves wait here until the checkpoint after them can
 * no longer be undone; then they count.
 */
export class TimeBook {
  readonly windowUs: number;
  readonly #windows: number;
  readonly #byWindow: Float64Array;
  readonly #totals = new Float64Array(fleetTimeUses.length);
  #spans: Span[] = [];

  constructor(horizonUs: number, windows: number) {
    assert(windows >= 1 && windows <= 4096, "time is shown in 1 to 4096 windows");
    this.windowUs = horizonUs / windows;
    this.#windows = windows;
    this.#byWindow = new Float64Array(windows * fleetTimeUses.length);
  }

  /** Time that is what it is. */
  spend(use: FleetTimeUse, fromUs: number, toUs: number): void {
    this.#add(fleetTimeUses.indexOf(use), fromUs, toUs);
  }

  computed(fromUs: number, toUs: number, pace: number): void {
    assert(pace >= 1, "nothing is faster than when all is well");
    if (toUs > fromUs) this.#push({ fromUs, toUs, pace });
  }

  saved(fromUs: number, toUs: number): void {
    if (toUs > fromUs) this.#push({ fromUs, toUs, pace: 0 });
  }

  /** What was done before this time stays for good. */
  settle(beforeUs: number): void {
    let count = 0;
    while (count < this.#spans.length && (this.#spans[count] as Span).toUs <= beforeUs) {
      this.#stay(this.#spans[count++] as Span);
    }
    const cut = this.#spans[count];
    if (cut !== undefined && cut.fromUs < beforeUs) {
      this.#stay({ ...cut, toUs: beforeUs });
      this.#spans[count] = { ...cut, fromUs: beforeUs };
    }
    if (count > 0) this.#spans.splice(0, count);
  }

  /** What was done after this time was for nothing; says how much time that was. */
  undo(afterUs: number): number {
    let lostUs = 0;
    for (let span = this.#spans.at(-1); span !== undefined; span = this.#spans.at(-1)) {
      if (span.toUs <= afterUs) break;
      this.#spans.pop();
      const fromUs = Math.max(span.fromUs, afterUs);
      this.#add(wasted, fromUs, span.toUs);
      lostUs += span.toUs - fromUs;
      if (fromUs > span.fromUs) this.#spans.push({ ...span, toUs: fromUs });
    }
    return lostUs;
  }

  /** The last so many microseconds of work were for nothing. */
  undoLast(durationUs: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined) this.undo(Math.max(last.fromUs, last.toUs - durationUs));
  }

  /** Nothing is undone any more. */
  close(): void {
    this.settle(Infinity);
  }

  totalUs(use: FleetTimeUse): number {
    return this.#totals[fleetTimeUses.indexOf(use)] as number;
  }

  /** Share of each window that was spent computing what stayed; null where there was no time. */
  ettrByWindow(): readonly (number | null)[] {
    return Array.from({ length: this.#windows }, (_, window) => {
      const at = window * fleetTimeUses.length;
      const uses = this.#byWindow.subarray(at, at + fleetTimeUses.length);
      const total = uses.reduce((sum, value) => sum + value, 0);
      return total === 0 ? null : ((uses[productive] as number) + (uses[slow] as number)) / total;
    });
  }

  #push(span: Span): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && last.toUs === span.fromUs && last.pace === span.pace) {
      this.#spans[this.#spans.length - 1] = { ...last, toUs: span.toUs };
      return;
    }
    assert(this.#spans.length < spansMax, "checkpoints are reached now and then");
    this.#spans.push(span);
  }

  #stay({ fromUs, toUs, pace }: Span): void {
    if (pace === 0) {
      this.#add(save, fromUs, toUs);
      return;
    }
    this.#add(productive, fromUs, toUs, 1 / pace);
    if (pace > 1) this.#add(slow, fromUs, toUs, 1 - 1 / pace);
  }

  #add(use: number, fromUs: number, toUs: number, share = 1): void {
    if (!(toUs > fromUs)) return;
    this.#totals[use] = (this.#totals[use] as number) + share * (toUs - fromUs);
    const last = this.#windows - 1;
    let window = Math.min(Math.floor(fromUs / this.windowUs), last);
    for (let atUs = fromUs; atUs < toUs; window++) {
      const endUs = window >= last ? toUs : Math.min(toUs, (window + 1) * this.windowUs);
      const cell = Math.min(window, last) * fleetTimeUses.length + use;
      this.#byWindow[cell] = (this.#byWindow[cell] as number) + share * (endUs - atUs);
      atUs = endUs;
    }
  }
}
