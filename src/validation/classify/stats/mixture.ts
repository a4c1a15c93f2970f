/** Normal populations of one common width over a thin, even background of strangers. */
export interface Mixture {
  /** Ascending. */
  readonly centres: readonly number[];
  /** The share of all values that belongs to each population. */
  readonly shares: readonly number[];
  readonly sigma: number;
  /** The share of strangers: what belongs to no population. */
  readonly background: number;
  readonly logLikelihood: number;
}

export interface MixtureOptions {
  /** Where the populations are looked for first. */
  readonly centres: readonly number[];
  readonly sigma: number;
  /** No population is narrower. */
  readonly sigmaMin: number;
}

const roundsMax = 60;
const backgroundStart = 0.1;
const backgroundMax = 0.35;
const backgroundMin = 0.005;

/** Fits populations to values by expectation and maximisation, from the given start. */
export function fitMixture(values: Float64Array, options: MixtureOptions): Mixture {
  const { sigmaMin } = options;
  const range = Math.max((values.at(-1) ?? 0) - (values[0] ?? 0), 6 * options.sigma, 1e-12);
  let centres = [...options.centres];
  let shares = centres.map(() => (1 - backgroundStart) / centres.length);
  let sigma = Math.max(options.sigma, sigmaMin);
  let background = backgroundStart;
  let logLikelihood = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < roundsMax; round++) {
    const sums = centres.map(() => ({ weight: 0, value: 0, square: 0 }));
    let total = 0;
    let strangers = 0;
    for (const value of values) {
      const densities = centres.map((centre, at) => (shares[at] ?? 0) * density(value - centre, sigma));
      const sum = densities.reduce((left, right) => left + right, background / range);
      total += Math.log(sum);
      strangers += background / range / sum;
      for (const [at, own] of sums.entries()) {
        const weight = (densities[at] ?? 0) / sum;
        own.weight += weight;
        own.value += weight * value;
        own.square += weight * (value - (centres[at] ?? 0)) ** 2;
      }
    }
    const gain = total - logLikelihood;
    logLikelihood = total;
    if (gain < 1e-4) break;
    const belonging = sums.reduce((left, { weight }) => left + weight, 0);
    const squares = sums.reduce((left, { square }) => left + square, 0);
    centres = sums.map(({ weight, value }, at) => (weight > 0 ? value / weight : (centres[at] ?? 0)));
    sigma = Math.max(sigmaMin, Math.sqrt(squares / Math.max(belonging, 1e-9)));
    background = Math.min(backgroundMax, Math.max(backgroundMin, strangers / values.length));
    shares = sums.map(({ weight }) => ((1 - background) * weight) / Math.max(belonging, 1e-9));
  }
  return { centres, shares, sigma, background, logLikelihood };
}

function density(distance: number, sigma: number): number {
  return Math.exp(-0.5 * (distance / sigma) ** 2) / (sigma * Math.sqrt(2 * Math.PI));
}
