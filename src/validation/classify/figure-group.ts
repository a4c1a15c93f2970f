import type { CohortGroup } from "./cohorts.ts";
import type { PreparedFigure, PreparedRun } from "./prepare.ts";

/** One figure of the runs that are compared with each other, with all its GPUs. */
export interface FigureGroup {
  /** The figure's name without a GPU. */
  readonly base: string;
  readonly unit: string | undefined;
  readonly higherIsBetter: boolean;
  /** What the runs are compared with, in words. */
  readonly label: string;
  /** The runs that have the figure: one entry a run, one figure for each GPU or a single one. */
  readonly runs: readonly {
    readonly prepared: PreparedRun;
    readonly figures: readonly PreparedFigure[];
  }[];
}

/**
 * The figures of a group of runs that enough nodes have.
 *
 * @param nodesMin figures of fewer nodes are left out: nothing is known about them.
 */
export function figureGroups(
  group: CohortGroup,
  options: {
    readonly nodesMin: number;
    unitOf(check: string, name: string): string | undefined;
  },
): readonly FigureGroup[] {
  const byBase = new Map<string, Map<PreparedRun, PreparedFigure[]>>();
  const nameOf = new Map<string, string>();
  for (const prepared of group.reference) {
    for (const [name, figure] of prepared.figures) {
      // A plain figure and one by GPU of the same name are two figures.
      const base = figure.gpu === undefined ? name : `${figure.base}.gpu*`;
      nameOf.set(base, name);
      const runs = byBase.get(base) ?? new Map<PreparedRun, PreparedFigure[]>();
      byBase.set(base, runs);
      const figures = runs.get(prepared);
      if (figures === undefined) runs.set(prepared, [figure]);
      else figures.push(figure);
    }
  }
  return [...byBase].flatMap(([base, runs]) => {
    const nodes = new Set([...runs.keys()].map(({ run }) => run.node));
    const first = runs.values().next().value?.[0];
    const check = group.reference[0]?.run.check ?? "";
    if (nodes.size < options.nodesMin || first === undefined) return [];
    return [
      {
        base: base.endsWith(".gpu*") ? first.base : base,
        unit: options.unitOf(check, nameOf.get(base) ?? base),
        higherIsBetter: first.higherIsBetter,
        label: group.label,
        runs: [...runs].map(([prepared, figures]) => ({ prepared, figures })),
      },
    ];
  });
}
