import type { CompletedFigures } from "../../validation/history/newest-figures.ts";
import { sampleLevels } from "./samples.ts";

/** A figure as runs name it. */
export interface FigureMeaning {
  readonly figure: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
}

/** Which figures a run has. Thousands of runs share one of these. */
export interface FigureShape {
  readonly key: string;
  readonly figures: readonly FigureMeaning[];
  readonly placeOf: ReadonlyMap<string, number>;
}

/** The newest run of a node, as far as others are compared with it. */
export interface SiblingRun {
  readonly runId: string;
  readonly cohort: string;
  readonly shape: FigureShape;
  /** In the order of the shape; NaN where no sample is a number. */
  readonly medians: Float64Array;
}

/** Makes siblings of runs; those with the same figures share what says so. */
export class SiblingRuns {
  readonly #shapes = new Map<string, FigureShape>();

  /** @param known earlier ones, whose shapes go on being shared. */
  constructor(known: Iterable<SiblingRun>) {
    for (const { shape } of known) this.#shapes.set(shape.key, shape);
  }

  of({ runId, cohort, figures }: CompletedFigures): SiblingRun {
    const names = Object.keys(figures);
    const medians = Float64Array.from(
      names,
      (name) => sampleLevels(figures[name]?.samples ?? [])?.median ?? Number.NaN,
    );
    return { runId, cohort, shape: this.#shapeOf(figures), medians };
  }

  #shapeOf(figures: CompletedFigures["figures"]): FigureShape {
    const meanings = Object.entries(figures).map(([figure, { unit = "", higherIsBetter }]) => ({
      figure,
      unit,
      higherIsBetter,
    }));
    const key = JSON.stringify(meanings.map((one) => Object.values(one)));
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const placeOf = new Map(meanings.map(({ figure }, place) => [figure, place]));
    const shape = { key, figures: meanings, placeOf };
    this.#shapes.set(key, shape);
    return shape;
  }
}
