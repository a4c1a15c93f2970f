interface Trouble {
  readonly problem: string;
  readonly failures: number;
  /** By the stopwatch. */
  readonly untilMs: number;
}

const backoffMs = 60_000;
const backoffMsMax = 3_600_000;

/**
 * Closed nodes that could not be opened for their tests, as where the right to make reservations is
 * missing. Each is left alone for longer and longer, so that it does not take the turn of others.
 */
export class DoorTroubles {
  readonly #troubles = new Map<string, Trouble>();

  failed(node: string, problem: string, monotonicMs: number): void {
    const failures = (this.#troubles.get(node)?.failures ?? 0) + 1;
    const waitMs = Math.min(backoffMsMax, backoffMs * 2 ** Math.min(failures - 1, 30));
    this.#troubles.set(node, { problem, failures, untilMs: monotonicMs + waitMs });
  }

  succeeded(node: string): void {
    this.#troubles.delete(node);
  }

  /** Forgets the nodes that are not there any more. */
  keepOnly(nodes: ReadonlySet<string>): void {
    for (const node of this.#troubles.keys()) if (!nodes.has(node)) this.#troubles.delete(node);
  }

  /** By node, what went wrong, while it is to be left alone. */
  current(monotonicMs: number): ReadonlyMap<string, string> {
    const waiting = [...this.#troubles].filter(([, { untilMs }]) => monotonicMs < untilMs);
    return new Map(waiting.map(([node, { problem }]) => [node, problem]));
  }
}
