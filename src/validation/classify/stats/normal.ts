const lowerTail = 0.02425;
const centralTop = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
] as const;
const centralBottom = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572,
  1,
] as const;
const tailTop = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
  4.374664141464968, 2.938163982698783,
] as const;
const tailBottom = [
  0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1,
] as const;

/** The value below which a standard normal variable lies with this probability (error below 1e-8). */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return Number.NEGATIVE_INFINITY;
  if (probability >= 1) return Number.POSITIVE_INFINITY;
  if (probability > 1 - lowerTail) return -normalQuantile(1 - probability);
  if (probability < lowerTail) {
    const root = Math.sqrt(-2 * Math.log(probability));
    return polynomial(tailTop, root) / polynomial(tailBottom, root);
  }
  const offset = probability - 0.5;
  const square = offset * offset;
  return (offset * polynomial(centralTop, square)) / polynomial(centralBottom, square);
}

/** The upper quantile for a probability too close to 1 to be written as such: P(Z > z) = tail. */
export function normalUpperQuantile(tail: number): number {
  return -normalQuantile(tail);
}

function polynomial(coefficients: readonly number[], at: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * at + coefficient;
  return sum;
}
