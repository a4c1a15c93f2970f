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
const backgroundStart = 0.05;
const backgroundMax = 0.15;
const backgroundMin = 0.005;

/** Fits populations to values by expectation and maximisation, from the given start. */
export function fitMixture(values: Float64Array, options: MixtureOptions): Mixture {
  const { sigmaMin } = options;
  const range = Math.max((values.at(-1) ?? 0) - (values[0] ?? 0), 6 * options.sigma, 1e-12);
  let fit: Mixture = {
    centres: options.centres,
    shares: options.centres.map(() => (1 - backgroundStart) / options.centres.length),
    sigma: Math.max(options.sigma, sigmaMin),
    background: backgroundStart,
    logLikelihood: Number.NEGATIVE_INFINITY,
  };
  for (let round = 0; round < roundsMax; round++) {
    const next = improve(values, fit, { range, sigmaMin });
    const gain = next.logLikelihood - fit.logLikelihood;
    fit = next;
    if (gain < 1e-3) break;
  }
  return fit;
}

/** One round: who belongs where, and what follows. The likelihood is that of the mixture given. */
function improve(
  values: Float64Array,
  { centres, shares, sigma, background }: Mixture,
  { range, sigmaMin }: { readonly range: number; readonly sigmaMin: number },
): Mixture {
  const count = centres.length;
  const weights = new Float64Array(count);
  const sums = new Float64Array(count);
  const densities = new Float64Array(count);
  const even = background / range;
  const peak = 1 / (sigma * Math.sqrt(2 * Math.PI));
  let squares = 0;
  let strangers = 0;
  let logLikelihood = 0;
  for (const value of values) {
    let total = even;
    for (let at = 0; at < count; at++) {
      const distance = (value - (centres[at] ?? 0)) / sigma;
      const density = (shares[at] ?? 0) * peak * Math.exp(-0.5 * distance * distance);
      densities[at] = density;
      total += density;
    }
    logLikelihood += Math.log(total);
    strangers += even / total;
    for (let at = 0; at < count; at++) {
      const weight = (densities[at] ?? 0) / total;
      weights[at] = (weights[at] ?? 0) + weight;
      sums[at] = (sums[at] ?? 0) + weight * value;
      squares += weight * (value - (centres[at] ?? 0)) ** 2;
    }
  }
  const belonging = Math.max(
    1e-9,
    weights.reduce((left, right) => left + right, 0),
  );
  const outside = Math.min(backgroundMax, Math.max(backgroundMin, strangers / values.length));
  return {
    centres: centres.map((centre, at) => {
      const weight = weights[at] ?? 0;
      return weight > 1e-9 ? (sums[at] ?? 0) / weight : centre;
    }),
    shares: centres.map((_, at) => ((1 - outside) * (weights[at] ?? 0)) / belonging),
    sigma: Math.max(sigmaMin, Math.sqrt(squares / belonging)),
    background: outside,
    logLikelihood,
  };
}
