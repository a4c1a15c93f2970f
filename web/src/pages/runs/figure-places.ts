import type { RunDetailView } from "../../../../src/control/api/runs.ts";

type Figure = RunDetailView["figures"][number];
type Finding = RunDetailView["findings"][number];

export interface PlacedFigure {
  readonly figure: Figure;
  /** A finding names it. */
  readonly isNamed: boolean;
  /** What it was held against, in its own unit. */
  readonly bounds: readonly FigureBound[];
}

export interface FigureBound {
  readonly value: number;
  readonly rule: string;
}

/** The figures of a run as people want to read them: first what the findings are about, worst first. */
export function placeFigures(
  figures: readonly Figure[],
  findings: readonly Finding[],
): readonly PlacedFigure[] {
  const places = new Map<string, number>();
  for (const [at, { metric }] of findings.entries()) {
    if (!places.has(metric)) places.set(metric, at);
  }
  const placeOf = ({ name }: Figure) => places.get(name) ?? Infinity;
  return figures
    .map((figure, at) => ({ figure, at }))
    .toSorted((a, b) => {
      const [left, right] = [placeOf(a.figure), placeOf(b.figure)];
      return left === right ? a.at - b.at : left - right;
    })
    .map(({ figure }) => ({
      figure,
      isNamed: places.has(figure.name),
      bounds: boundsOf(figure, findings),
    }));
}

/** A bound in per cent or a score lies on another axis. */
function boundsOf({ name, unit }: Figure, findings: readonly Finding[]): readonly FigureBound[] {
  return findings.flatMap(({ metric, rule, bound, unit: boundUnit }) =>
    metric === name && bound !== null && boundUnit === unit && rule !== "tail"
      ? [{ value: bound, rule }]
      : [],
  );
}
