import { nearestCentre, type Reference } from "./reference.ts";
import type { Series } from "./series.ts";

/** A figure of a cohort: its series, and what is usual for them. */
export interface KnownFigure {
  readonly series: readonly Series[];
  readonly reference: Reference;
}

/** So many nodes must be of the same population in all figures before figures vouch for each other. */
const agreementMin = 0.8;
/** A level this far above a population, in standard deviations, is not of that population. */
const certainSigmas = 4;

/**
 * The least population each node can belong to, by its place among the centres, where several
 * figures fall into the same populations. A defect makes a node look like one of a slower population
 * in some figures, never like one of a faster: its best figure tells what it is.
 */
export function commonPopulations(
  figures: readonly KnownFigure[],
): ReadonlyMap<string, number> | undefined {
  const split = figures.filter(({ reference }) => reference.centres.length > 1);
  const count = split[0]?.reference.centres.length ?? 0;
  const alike = split.filter(({ reference }) => reference.centres.length === count);
  if (alike.length < 2) return undefined;
  const nearest = new Map<string, number[]>();
  const certain = new Map<string, number>();
  for (const figure of alike) {
    const { centres, levels } = figure.reference;
    for (const [at, series] of figure.series.entries()) {
      const level = levels[at] ?? 0;
      const own = nearest.get(series.node) ?? [];
      nearest.set(series.node, own);
      own.push(centres.indexOf(nearestCentre(centres, level)));
      const reach = certainSigmas * levelSigma(figure.reference, series);
      const place = centres.findLastIndex((_, below) => level > (centres[below] ?? 0) + reach) + 1;
      const least = Math.min(place, count - 1);
      certain.set(series.node, Math.max(least, certain.get(series.node) ?? 0));
    }
  }
  const agreeing = [...nearest.values()].filter((own) => own.every((place) => place === own[0]));
  return agreeing.length < agreementMin * nearest.size ? undefined : certain;
}

function levelSigma({ nodeSigma, runSigma }: Reference, { points }: Series): number {
  return Math.hypot(nodeSigma, runSigma / Math.sqrt(points.length));
}
