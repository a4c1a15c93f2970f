import { splitName } from "../../validation/classify/figure-names.ts";
import { evenly } from "./evenly.ts";
import type { FigureMeaning, FigureShape, SiblingRun } from "./sibling-runs.ts";
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
  #units: ReadonlyMap<string, string> | undefined;

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

  /** The unit most runs measure a figure in, by which findings are told; its GPUs share it. */
  unitOf(figure: string): string | undefined {
    this.#units ??= usualUnits(this.#runs.values());
    return this.#units.get(splitName(figure).base);
  }

  /** Nodes of a cohort with their runs, evenly taken where they are more than `max`. */
  sample(cohort: string, { except, max }: { readonly except: string; readonly max: number }) {
    const all = [...this.#runs].filter(([node, run]) => run.cohort === cohort && node !== except);
    return evenly(all.length, max).flatMap((at) => all[at]?.[1].runId ?? []);
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

/** The unit that most runs name for each figure, by its name without a GPU. */
function usualUnits(runs: Iterable<SiblingRun>): ReadonlyMap<string, string> {
  const runsOf = new Map<FigureShape, number>();
  for (const { shape } of runs) runsOf.set(shape, (runsOf.get(shape) ?? 0) + 1);
  const votes = new Map<string, Map<string, number>>();
  for (const [{ figures }, count] of runsOf) {
    for (const { figure, unit } of figures) {
      const { base } = splitName(figure);
      const own = votes.get(base) ?? new Map<string, number>();
      if (unit !== "") own.set(unit, (own.get(unit) ?? 0) + count);
      votes.set(base, own);
    }
  }
  return new Map(
    [...votes].flatMap(([base, own]) => {
      const [most] = [...own].toSorted(([, a], [, b]) => b - a);
      return most === undefined ? [] : [[base, most[0]] as const];
    }),
  );
}
