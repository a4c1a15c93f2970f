/** When each rank was last heard of. Whatever it says is a sign of life. */
export class HeartbeatWatch {
  readonly #heardUs: Float64Array;
  readonly #silenceUs: number;

  constructor(ranks: number, options: { readonly silenceUs: number; readonly nowUs: number }) {
    this.#heardUs = new Float64Array(ranks).fill(options.nowUs);
    this.#silenceUs = options.silenceUs;
  }

  heard(rank: number, nowUs: number): void {
    if (this.#heardUs[rank] !== Number.POSITIVE_INFINITY) this.#heardUs[rank] = nowUs;
  }

  /** It has done its part and may fall silent. */
  excuse(rank: number): void {
    this.#heardUs[rank] = Number.POSITIVE_INFINITY;
  }

  /** Ranks that were silent for too long. */
  silent(nowUs: number): readonly number[] {
    return this.#silentFor(this.#silenceUs, nowUs);
  }

  /** Ranks that were silent for half of that: more than one beat is missing. */
  fading(nowUs: number): readonly number[] {
    return this.#silentFor(this.#silenceUs / 2, nowUs);
  }

  /** When the one that is silent for longest would be lost; null: nobody is watched. */
  nextUs(): number | null {
    let first = Number.POSITIVE_INFINITY;
    const heardUs = this.#heardUs;
    for (let rank = 0; rank < heardUs.length; rank++) {
      if ((heardUs[rank] as number) < first) first = heardUs[rank] as number;
    }
    return first === Number.POSITIVE_INFINITY ? null : first + this.#silenceUs;
  }

  #silentFor(us: number, nowUs: number): readonly number[] {
    const found: number[] = [];
    const heardUs = this.#heardUs;
    for (let rank = 0; rank < heardUs.length; rank++) {
      if (nowUs - (heardUs[rank] as number) >= us) found.push(rank);
    }
    return found;
  }
}
