import { allowedLoss } from "../../validation/baselines/index.ts";
import { splitName } from "../../validation/classify/figure-names.ts";
import { floorOf, skuFloors } from "../../validation/classify/floors.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
import type { RunVerdict } from "../../validation/run.ts";
import type { BoundView, SiblingsView } from "../api/nodes.ts";
import { factorBetween } from "./unit-factor.ts";

/** A figure of a check on a SKU, in the unit it is drawn in. */
export interface DrawnFigure {
  readonly sku: string;
  readonly check: string;
  readonly figure: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
}

/** With fewer siblings nobody can say what is usual. */
const siblingsMin = 4;

/**
 * What values of a figure are held against, as far as it is known: floors, the baseline in force,
 * what the newest verdict names, and the middle of the siblings.
 */
export function boundsOf(
  figure: DrawnFigure,
  known: {
    readonly verdict: RunVerdict | undefined;
    readonly baseline: BaselineRecord | undefined;
    readonly siblings: Pick<SiblingsView, "others" | "median">;
  },
): BoundView[] {
  const { verdict, baseline, siblings } = known;
  return [
    ...floorBounds(figure),
    ...foundBounds(figure, verdict),
    ...baselineBounds(figure, baseline),
    ...siblingBounds(figure, siblings),
  ];
}

function sideOf({ higherIsBetter }: DrawnFigure): BoundView["side"] {
  return higherIsBetter ? "below" : "above";
}

/** The floors of the SKU; a figure of one GPU has those of its family. */
function floorBounds(figure: DrawnFigure): readonly BoundView[] {
  const floor = floorOf(skuFloors, { ...figure, figure: splitName(figure.figure).base });
  if (floor === undefined || floor.higherIsBetter !== figure.higherIsBetter) return [];
  const factor = factorBetween(floor.unit, figure.unit);
  if (factor === undefined) return [];
  return (["fail", "warn"] as const).map((level) => ({
    rule: "floor",
    level,
    value: factor * floor[level],
    side: sideOf(figure),
    cohort: `every ${floor.sku}`,
  }));
}

/** Bounds that the newest verdict says it was decided by; those of floors and baselines are drawn anyway. */
function foundBounds(figure: DrawnFigure, verdict: RunVerdict | undefined): readonly BoundView[] {
  return (verdict?.findings ?? []).flatMap(({ metric, rule, bound, cohort }): BoundView[] => {
    const isDrawn = rule === "band" || rule === "tail" || rule === "history";
    if (metric !== figure.figure || bound === null || !isDrawn) return [];
    const level = verdict?.verdict === "fail" ? "fail" : "warn";
    return [{ rule, level, value: bound, side: sideOf(figure), cohort }];
  });
}

function baselineBounds(
  figure: DrawnFigure,
  baseline: BaselineRecord | undefined,
): readonly BoundView[] {
  const usual = baseline?.figures[figure.figure];
  if (baseline === undefined || usual === undefined) return [];
  if (usual.higherIsBetter !== figure.higherIsBetter) return [];
  const factor = factorBetween(usual.unit, figure.unit);
  if (factor === undefined) return [];
  const loss = allowedLoss(usual);
  const worst = usual.median * (usual.higherIsBetter ? 1 - loss : 1 + loss);
  const cohort = `baseline ${baseline.id}, ${usual.nodes} nodes`;
  const shared = { rule: "baseline", side: sideOf(figure), cohort };
  return [
    { ...shared, level: "usual", value: factor * usual.median },
    { ...shared, level: "warn", value: factor * worst },
  ];
}

function siblingBounds(
  figure: DrawnFigure,
  { others, median: value }: Pick<SiblingsView, "others" | "median">,
): readonly BoundView[] {
  if (value === null || others < siblingsMin) return [];
  const cohort = `the newest runs of ${others} other nodes`;
  return [{ rule: "siblings", level: "usual", value, side: sideOf(figure), cohort }];
}
