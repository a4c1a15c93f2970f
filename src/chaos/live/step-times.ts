/**
 * When the newest step was made, at the earliest: what is read now was written after the reading before, and
 * nobody knows when. A step of before a fault is no sign that it is over.
 */
export class StepTimes {
  #readUs = 0;
  #lastReadUs = 0;
  #newest: { readonly notBeforeUs: number; readonly generation: number } | undefined;

  /** All that was written before `atUs` has been read, or is among what comes now. */
  read(atUs: number): void {
    this.#lastReadUs = this.#readUs;
    this.#readUs = atUs;
  }

  stepped(generation: number): void {
    this.#newest = { notBeforeUs: this.#lastReadUs, generation };
  }

  /** Whether a step of this generation was surely made since. */
  hasStep(generation: number, sinceUs: number): boolean {
    const newest = this.#newest;
    return newest?.generation === generation && newest.notBeforeUs >= sinceUs;
  }
}
