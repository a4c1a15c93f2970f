import type { EndedRun } from "./planner.ts";

/** Nodes come and go; what was noted first is forgotten first. */
const pairsMax = 100_000;

/** Runs of a check on a node that came to nothing, one after another. */
export interface Setback {
  /** At least 1. */
  readonly inARow: number;
  /** When the last of them ended. */
  readonly endedAtMs: number;
}

/** Which checks have come to nothing on which nodes since they last gave a result. */
export class Setbacks {
  readonly #pairs = new Map<string, Setback>();

  /** Takes note of a run that ended, in order of time. A cancelled one changes nothing. */
  note({ node, check, endedAtMs, outcome }: EndedRun): void {
    if (outcome === "cancelled") return;
    const key = keyOf(node, check);
    const before = this.#pairs.get(key);
    // Who reads the history meets runs again that are told of as they are judged.
    if (before?.endedAtMs === endedAtMs && outcome === "broken") return;
    this.#pairs.delete(key);
    if (outcome !== "broken") return;
    this.#pairs.set(key, { inARow: (before?.inARow ?? 0) + 1, endedAtMs });
    const [oldest] = this.#pairs.keys();
    if (this.#pairs.size > pairsMax && oldest !== undefined) this.#pairs.delete(oldest);
  }

  /** Undefined when the last run of the check on the node gave a result, or there was none. */
  of(node: string, check: string): Setback | undefined {
    return this.#pairs.get(keyOf(node, check));
  }
}

function keyOf(node: string, check: string): string {
  return JSON.stringify([node, check]);
}
