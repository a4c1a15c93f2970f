import type { FigureMeaning, SiblingRun } from "./sibling-runs.ts";
import { factorBetween } from "./unit-factor.ts";

/** The newest medians of one figure over the nodes of a cohort, ascending. */
export interface CohortColumn {
  readonly nodes: readonly string[];
  readonly medians: Float64Array;
}

/** The newest runs of a check over all nodes of a SKU; what is asked of it is worked out once. */
export class CohortTable {
  readonly #runs: ReadonlyMap<string, SiblingRun>;
  readonly #columns = new Map<string, CohortColumn>();

  /** @param runs by node. */
  constructor(runs: ReadonlyMap<string, SiblingRun>) {
    this.#runs = runs;
  }

  /** A figure of a cohort in the unit that is asked for, without runs in which it means something else. */
  column(cohort: string, wanted: FigureMeaning): CohortColumn {
    const { figure, unit, higherIsBetter } = wanted;
    const key = JSON.stringify([cohort, figure, unit, higherIsBetter]);
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const column = this.#make(cohort, wanted);
    this.#columns.set(key, column);
    return column;
  }

  #make(cohort: string, { figure, unit, higherIsBetter }: FigureMeaning): CohortColumn {
    const nodes: string[] = [];
    const medians: number[] = [];
    for (const [node, run] of this.#runs) {
      const place = run.cohort === cohort ? run.shape.placeOf.get(figure) : undefined;
      const meaning = place === undefined ? undefined : run.shape.figures[place];
      if (place === undefined || meaning?.higherIsBetter !== higherIsBetter) continue;
      const median = (factorBetween(meaning.unit, unit) ?? Number.NaN) * (run.medians[place] ?? 0);
      if (Number.isNaN(median)) continue;
      nodes.push(node);
      medians.push(median);
    }
    const order = Uint32Array.from(medians.keys()).toSorted(
      (a, b) => (medians[a] ?? 0) - (medians[b] ?? 0),
    );
    return {
      nodes: Array.from(order, (at) => nodes[at] ?? ""),
      medians: Float64Array.from(order, (at) => medians[at] ?? Number.NaN),
    };
  }
}
