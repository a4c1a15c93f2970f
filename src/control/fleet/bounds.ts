import { allowedLoss } from "../../validation/baselines/index.ts";
import { splitName } from "../../validation/classify/figure-names.ts";
import { floorOf, skuFloors } from "../../validation/classify/floors.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
import type { RunVerdict } from "../../validation/run.ts";
import type { BoundView, SiblingsView, TailView } from "../api/nodes.ts";
import { factorBetween } from "./unit-factor.ts";

/** A figure of a check on a SKU, in the unit it is drawn in. */
export interface DrawnFigure {
  readonly sku: string;
  readonly check: string;
  readonly figure: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
}

/** What the newest runs and verdicts say of a figure. */
export interface KnownOfFigure {
  readonly verdict: RunVerdict | undefined;
  readonly baseline: BaselineRecord | undefined;
  readonly siblings: Pick<SiblingsView, "others" | "median">;
  /** The unit its cohort is judged in; undefined when nobody named one. */
  readonly findingUnit: string | undefined;
  /** The value from which on samples are slower than 99 % usually are, and of how many others. */
  readonly slowFrom: { readonly value: number; readonly nodes: number } | undefined;
}

/** With fewer siblings nobody can say what is usual. */
const siblingsMin = 4;

/**
 * What values of a figure are held against, as far as it is known: floors, the baseline in force,
 * what the newest verdict names, and the middle of the siblings.
 */
export function boundsOf(figure: DrawnFigure, known: KnownOfFigure): BoundView[] {
  return [
    ...floorBounds(figure),
    ...foundBounds(figure, known),
    ...tailBounds(figure, known),
    ...baselineBounds(figure, known),
    ...siblingBounds(figure, known),
  ];
}

/** What a verdict says of the slow samples of a figure; null when it says nothing of them. */
export function tailOf(figure: string, verdict: RunVerdict | undefined): TailView | null {
  const found = verdict?.findings.find(({ metric, rule }) => metric === figure && rule === "tail");
  if (found === undefined || found.value === null || found.bound === null) return null;
  return { score: found.value, scoreMax: found.bound, cohort: found.cohort };
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
function foundBounds(
  figure: DrawnFigure,
  { verdict, findingUnit = "" }: KnownOfFigure,
): readonly BoundView[] {
  const factor = factorBetween(findingUnit, figure.unit);
  return (verdict?.findings ?? []).flatMap(({ metric, rule, bound, cohort }): BoundView[] => {
    const isDrawn = rule === "band" || rule === "history";
    if (metric !== figure.figure || bound === null || factor === undefined || !isDrawn) return [];
    const level = verdict?.verdict === "fail" ? "fail" : "warn";
    return [{ rule, level, value: factor * bound, side: sideOf(figure), cohort }];
  });
}

/** The bound of a tail is a score; what has a place among values is where slow samples begin. */
function tailBounds(figure: DrawnFigure, { slowFrom }: KnownOfFigure): readonly BoundView[] {
  if (slowFrom === undefined) return [];
  const { value, nodes } = slowFrom;
  const cohort = `the better 99 % of the samples of ${nodes} other nodes, each held against the middle of its run`;
  return [{ rule: "tail", level: "usual", value, side: sideOf(figure), cohort }];
}

function baselineBounds(figure: DrawnFigure, { baseline }: KnownOfFigure): readonly BoundView[] {
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
  { siblings: { others, median: value } }: KnownOfFigure,
): readonly BoundView[] {
  if (value === null || others < siblingsMin) return [];
  const cohort = `the newest runs of ${others} other nodes`;
  return [{ rule: "siblings", level: "usual", value, side: sideOf(figure), cohort }];
}
