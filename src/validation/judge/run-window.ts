import type { History, RunFilter } from "../history/history.ts";
import type { RunRecord } from "../run.ts";
import { isComparable } from "./select-comparable.ts";

const pageSize = 5000;
const pagesMax = 20;

/** The newest comparable runs of one check, kept in memory within a limit. */
export class RunWindow {
  readonly #history: History;
  readonly #filter: RunFilter & { readonly plannedFromMs: number };
  readonly #sizeMax: number;
  /** By run, oldest first. */
  #runs = new Map<string, RunRecord>();
  /** Whether runs within the filter were left out. */
  #isCut = false;

  constructor(options: {
    readonly history: History;
    readonly filter: RunFilter & { readonly plannedFromMs: number };
    readonly sizeMax: number;
  }) {
    this.#history = options.history;
    this.#filter = options.filter;
    this.#sizeMax = options.sizeMax;
  }

  /**
   * Reads the history, newest first, at most 100,000 runs, and until the window is full and `isEnough`
   * says so. Only the newest are kept with their samples; every one of them is shown to `visit`.
   */
  async load(visit: (record: RunRecord) => void, isEnough: () => boolean): Promise<void> {
    const kept: RunRecord[] = [];
    let before: number | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const plannedBefore = before === undefined ? {} : { plannedBeforeMs: before };
      const filter = { ...this.#filter, ...plannedBefore, limit: pageSize };
      const records = await this.#history.runs(filter);
      for (const record of records) {
        visit(record);
        if (record.verdict === undefined || !isComparable(record)) continue;
        if (kept.length < this.#sizeMax) kept.push(record);
        else this.#isCut = true;
      }
      const oldest = records.at(-1)?.intent.plannedAtMs;
      if (records.length < pageSize || oldest === undefined) break;
      if (kept.length >= this.#sizeMax && isEnough()) {
        this.#isCut = true;
        break;
      }
      // Runs planned in the same millisecond as the last one of a page may be read twice, and a page
      // full of them ends the reading rather than going round in circles.
      if (before !== undefined && oldest + 1 >= before) break;
      before = oldest + 1;
    }
    this.#runs = new Map(kept.toReversed().map((record) => [record.intent.id, record]));
  }

  /** The runs in memory. */
  runs(): readonly RunRecord[] {
    return [...this.#runs.values()];
  }

  /** The newest runs of a node, read from the history where memory may not have them all. */
  async runsOf(node: string, limit: number): Promise<readonly RunRecord[]> {
    if (!this.#isCut) return [];
    return await this.#history.runs({ ...this.#filter, node, limit });
  }

  /** Takes in a judged run, or what is now thought of one; the oldest make room. */
  add(record: RunRecord): void {
    const { id } = record.intent;
    if (!this.#runs.has(id) && !isComparable(record)) return;
    this.#runs.set(id, record);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= this.#sizeMax) break;
      this.#runs.delete(oldest);
      this.#isCut = true;
    }
  }
}
