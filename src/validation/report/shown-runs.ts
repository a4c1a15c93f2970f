import { medianOf } from "../classify/stats/robust.ts";
import type { RunFigure, RunRecord } from "../run.ts";
import { isAnswer } from "./assess-nodes.ts";

/** Figures of which no more is known than the middle. */
export type MedianFigures = Readonly<Record<string, RunFigure>>;

/**
 * The runs whose figures a report shows: of each node and check the newest that answers, and the newest
 * that completed in each cohort. Runs come newest plan first.
 */
export class ShownRuns {
  readonly #known = new Set<string>();
  readonly #ids = new Set<string>();

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  add(run: RunRecord): void {
    const { intent, result } = run;
    if (result === undefined) return;
    const { id, node, check, sku } = intent;
    if (isAnswer(run)) this.#addFirst(id, ["answer", node, check]);
    if (result.outcome !== "completed") return;
    this.#addFirst(id, ["cohort", node, check, sku, result.cohort ?? ""]);
  }

  #addFirst(id: string, place: readonly string[]): void {
    const key = JSON.stringify(place);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#ids.add(id);
  }
}

/** Figures with the median in place of their samples. */
export function mediansOf(figures: Readonly<Record<string, RunFigure>>): MedianFigures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => {
      const finite = figure.samples.filter(Number.isFinite);
      return [name, { ...figure, samples: finite.length === 0 ? [] : [medianOf(finite)] }];
    }),
  );
}
