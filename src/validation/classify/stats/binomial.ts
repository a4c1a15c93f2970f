/** The chance of at least so many hits in independent draws. */
export function binomialUpperTail({
  draws,
  hits,
  rate,
}: {
  readonly draws: number;
  readonly hits: number;
  readonly rate: number;
}): number {
  if (hits <= 0) return 1;
  let logTerm = 0;
  for (let at = 1; at <= hits; at++) logTerm += Math.log((draws - hits + at) / at);
  logTerm += hits * Math.log(rate) + (draws - hits) * Math.log(1 - rate);
  let term = Math.exp(logTerm);
  let sum = term;
  for (let at = hits; at < draws && term > sum * 1e-12; at++) {
    term *= ((draws - at) / (at + 1)) * (rate / (1 - rate));
    sum += term;
  }
  return Math.min(1, sum);
}
