import type { CheckVerdictView, FigureHistoryView } from "../../../../src/control/api/nodes.ts";
import { standingOrder } from "../../ui/tone.ts";

export interface CheckFigures {
  readonly check: string;
  readonly figures: readonly FigureHistoryView[];
}

/** Figures by check, the worst check first; in each, first those its findings are about. */
export function figuresByCheck(
  figures: readonly FigureHistoryView[],
  verdicts: readonly CheckVerdictView[],
): readonly CheckFigures[] {
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.check, verdict]));
  const badness = (check: string) =>
    standingOrder.indexOf(verdictOf.get(check)?.standing ?? "untested");
  const isFound = ({ check, figure }: FigureHistoryView) =>
    verdictOf.get(check)?.findings.some(({ metric }) => metric === figure) ?? false;
  const checks = [...new Set(figures.map(({ check }) => check))];
  return checks
    .toSorted((a, b) => badness(a) - badness(b))
    .map((check) => ({
      check,
      figures: figures
        .filter((figure) => figure.check === check)
        .toSorted((a, b) => Number(isFound(b)) - Number(isFound(a))),
    }));
}
