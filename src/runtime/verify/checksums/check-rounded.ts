import type { CheckSettings } from "./check-accumulator.ts";
import { unitOf } from "./data-of.ts";
import type { LineError } from "./line-errors.ts";
import type { MatmulCheck } from "./matmul-checker.ts";
import { roundedRowThreshold } from "./output-rounding.ts";
import { expectedRows, type Factors, foundRows } from "./product-sides.ts";
import { allOnes, randomSigns } from "./signs.ts";
import { type DataArray, rowNorms } from "./sums.ts";

const wrongRowsMax = 1024;

/**
 * The check of a product that was rounded to a short format: the roundings of a row add up to a
 * normal variable of known width, so nothing needs to be learnt. `ratio` and `kappa` count its
 * standard deviations.
 */
export function checkRounded(
  {
    factors,
    c,
    dtype,
  }: { readonly factors: Factors; readonly c: DataArray; readonly dtype: "bf16" | "f16" },
  { stream, trials, weights, z }: CheckSettings,
): MatmulCheck {
  const { m, n } = factors;
  const norms = rowNorms(c, { rows: m, columns: n });
  const rows = new Map<number, LineError>();
  let [ratio, undecided] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const r = weights === "ones" ? allOnes(n) : randomSigns(n, stream);
    const [found, expected] = [foundRows(factors, c, r), expectedRows(factors, r)];
    undecided = 0;
    for (let index = 0; index < m; index++) {
      // What goes in is not finite, so nothing can be asked of what comes out.
      if (!Number.isFinite(expected[index])) {
        undecided++;
        continue;
      }
      const residual = (found[index] as number) - (expected[index] as number);
      const deviation = roundedRowThreshold(norms[index] as number, { z: 1, unit: unitOf(dtype) });
      const off = residual === 0 ? 0 : Math.abs(residual) / deviation;
      const size = off >= 0 ? off : Number.POSITIVE_INFINITY;
      ratio = Math.max(ratio, size);
      if (size > z && rows.size < wrongRowsMax)
        rows.set(index, { index, residual, threshold: z * deviation });
    }
  }
  const found = { rows: [...rows.values()], columns: [], ratio, kappa: z };
  if (rows.size > 0) {
    return {
      verdict: "corrupt",
      reason: "a row's sum is off by more than rounding leaves",
      ...found,
    };
  }
  if (undecided > 0) {
    return {
      verdict: "inconclusive",
      reason: `${undecided} rows have operands that are not finite`,
      ...found,
    };
  }
  return { verdict: "clean", reason: "no row's sum is off by more than rounding leaves", ...found };
}
