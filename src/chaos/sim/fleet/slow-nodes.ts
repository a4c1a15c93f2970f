/** Nodes that are slow now; a job is as slow as the slowest node it has. */
export class SlowNodes {
  readonly #slowdowns = new Map<number, number>();

  begin(node: number, slowdown: number): void {
    this.#slowdowns.set(node, slowdown);
  }

  end(node: number): void {
    this.#slowdowns.delete(node);
  }

  /** The most of those that count. */
  worst(counts: (node: number) => boolean): number {
    let worst = 1;
    for (const [node, slowdown] of this.#slowdowns) {
      if (slowdown > worst && counts(node)) worst = slowdown;
    }
    return worst;
  }
}
