import { madToSigma, quantile } from "./stats/robust.ts";

const distancesMin = 30;
const grossSigmas = 6;

/** Ratios of a far quantile to the body, as Student's degrees of freedom; heaviest tails first. */
const heavyAt985: readonly (readonly [degrees: number, ratio: number])[] = [
  [3, 4.3],
  [4, 3.6],
  [6, 3.05],
  [10, 2.75],
];
const heavyAt96: readonly (readonly [degrees: number, ratio: number])[] = [
  [3, 3.0],
  [4, 2.7],
  [6, 2.43],
  [10, 2.28],
];

/**
 * Student's degrees of freedom whose tail is as heavy as that of these ascending distances; 1000
 * for normal ones. Gross distances are left out: they are incidents, defects or a habit of their
 * own.
 */
export function tailDegrees(all: Float64Array, sigma: number): number {
  const distances = all.filter((distance) => distance < grossSigmas * sigma);
  if (distances.length < distancesMin) return 1000;
  const isMany = distances.length >= 300;
  const body = Math.max(quantile(distances, 0.5) * madToSigma, 0.5 * sigma);
  const reach = quantile(distances, isMany ? 0.985 : 0.96) / body;
  // Some scatter of the ratio is chance; only what is clearly heavy counts.
  const slack = 1 + 1.2 / Math.sqrt(distances.length);
  const table = isMany ? heavyAt985 : heavyAt96;
  return table.find(([, ratio]) => reach / slack >= ratio)?.[0] ?? 1000;
}
