const bucketHours = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8] as const;
/** What is believed before gaps were seen: a gap ends after about 3 hours. */
const prior = { ends: 2, hours: 6 } as const;

/** How long nodes stay free: the chance that a test is not pre-empted, learned from the fleet's gaps. */
export class Gaps {
  readonly #ends = new Float64Array(bucketHours.length + 1);
  readonly #hours = new Float64Array(bucketHours.length + 1);
  readonly #freeFromS: Float64Array;

  constructor(nodes: number, startS: number) {
    this.#freeFromS = new Float64Array(nodes).fill(startS);
  }

  setFree(node: number, nowS: number): void {
    this.#freeFromS[node] = nowS;
  }

  /** A gap ended: a job took the node. */
  setBusy(node: number, nowS: number): void {
    const gap = this.freeHours(node, nowS);
    let from = 0;
    for (let bucket = 0; bucket < this.#hours.length && gap > from; bucket++) {
      const to = bucketHours[bucket] ?? Number.POSITIVE_INFINITY;
      this.#hours[bucket] = (this.#hours[bucket] ?? 0) + Math.min(gap, to) - from;
      if (gap <= to) this.#ends[bucket] = (this.#ends[bucket] ?? 0) + 1;
      from = to;
    }
  }

  freeHours(node: number, nowS: number): number {
    return Math.max(0, nowS - (this.#freeFromS[node] ?? nowS)) / 3600;
  }

  /** The chance that a node which has been free this long stays so for `hours` more. */
  chanceToStay(freeHours: number, hours: number): number {
    let exponent = 0;
    let from = 0;
    const end = freeHours + hours;
    for (let bucket = 0; bucket < this.#hours.length && from < end; bucket++) {
      const to = bucketHours[bucket] ?? Number.POSITIVE_INFINITY;
      const within = Math.min(end, to) - Math.max(freeHours, from);
      if (within > 0) exponent += within * this.#endsPerHour(bucket);
      from = to;
    }
    return Math.exp(-exponent);
  }

  #endsPerHour(bucket: number): number {
    return (prior.ends + (this.#ends[bucket] ?? 0)) / (prior.hours + (this.#hours[bucket] ?? 0));
  }
}
