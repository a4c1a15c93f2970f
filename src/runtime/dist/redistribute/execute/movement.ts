/** Counts what the ranks of one step receive from others. */
export class Movement {
  readonly #elements = new Map<number, number>();

  /** Elements that a rank got from another one. */
  received(rank: number, elements: number): void {
    this.#elements.set(rank, (this.#elements.get(rank) ?? 0) + elements);
  }

  /** The most bytes of any rank, and those of all. */
  bytes(elementBytes: number): { readonly bytesPerRank: number; readonly totalBytes: number } {
    let most = 0;
    let total = 0;
    for (const elements of this.#elements.values()) {
      most = Math.max(most, elements);
      total += elements;
    }
    return { bytesPerRank: most * elementBytes, totalBytes: total * elementBytes };
  }
}
