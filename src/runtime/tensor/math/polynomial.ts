/** The polynomial with these coefficients, given from the highest power down, at x. */
export function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let at = 0; at < coefficients.length; at++) sum = sum * x + (coefficients[at] as number);
  return sum;
}
