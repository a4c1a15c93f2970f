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

interface FigureRun {
  readonly prepared: PreparedRun;
  readonly figures: PreparedFigure[];
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
  const families = new Map<string, { name: string; readonly runs: FigureRun[] }>();
  for (const prepared of group.reference) {
    for (const [name, figure] of prepared.figures) {
      const family = families.get(figure.family);
      const last = family?.runs.at(-1);
      if (family === undefined) {
        families.set(figure.family, { name, runs: [{ prepared, figures: [figure] }] });
        continue;
      }
      family.name = name;
      if (last?.prepared === prepared) last.figures.push(figure);
      else family.runs.push({ prepared, figures: [figure] });
    }
  }
  return [...families].flatMap(([family, { name, runs }]): FigureGroup[] => {
    const nodes = new Set(runs.map(({ prepared }) => prepared.nodeId));
    const first = runs[0]?.figures[0];
    const check = group.reference[0]?.run.check ?? "";
    if (nodes.size < options.nodesMin || first === undefined) return [];
    return [
      {
        base: family.endsWith(".gpu*") ? first.base : family,
        unit: options.unitOf(check, name),
        higherIsBetter: first.higherIsBetter,
        label: group.label,
        runs,
      },
    ];
  });
}
