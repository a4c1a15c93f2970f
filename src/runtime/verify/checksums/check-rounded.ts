import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { CheckSettings } from "./check-accumulator.ts";
import { unitOf } from "./data-of.ts";
import type { LineError } from "./line-errors.ts";
import type { MatmulCheck } from "./matmul-checker.ts";
import { roundingNorms, sumRoundings } from "./output-rounding.ts";
import { expectedRows, type Factors, foundRows, rowScales } from "./product-sides.ts";
import { randomSigns } from "./signs.ts";

const wrongRowsMax = 1024;

export interface RoundedCheck {
  readonly factors: Factors;
  readonly c: Float32Array;
  readonly dtype: "bf16" | "f16";
}

/**
 * The check of a product that was rounded to a short format: the roundings of a row, with random
 * signs, stay below a few times the root of their squares, so nothing needs to be learnt. `ratio` and
 * `kappa` count the largest standard deviation that they can have.
 */
export function checkRounded(what: RoundedCheck, settings: CheckSettings): MatmulCheck {
  const { z, weights } = settings;
  const about = { columns: [], kappa: z, calibration: undefined };
  if (weights === "ones") {
    const reason = "what roundings leave in a plain sum is not known: those of like numbers add up";
    return { verdict: "inconclusive", reason, rows: [], ratio: Number.NaN, ...about };
  }
  const { suspects, ratio, undecided } = suspectsOf(what, settings);
  const { rows, open } = sorted(what, suspects);
  const found = { rows, ratio, ...about };
  if (rows.length > 0) {
    const reason = "a row's sum is off by more than rounding leaves";
    return { verdict: "corrupt", reason, ...found };
  }
  if (undecided > 0) {
    const reason = `${undecided} rows have operands that are not finite`;
    return { verdict: "inconclusive", reason, ...found };
  }
  if (open > 0) {
    const reason = `${open} rows are off by more than their rounding leaves, but their sums may have overflowed or cancelled`;
    return { verdict: "inconclusive", reason, ...found };
  }
  return { verdict: "clean", reason: "no row's sum is off by more than rounding leaves", ...found };
}

/** Rows whose sums are off by more than the rounding of the product leaves. */
function suspectsOf(
  { factors, c, dtype }: RoundedCheck,
  { stream, trials, z }: CheckSettings,
): { readonly suspects: readonly LineError[]; readonly ratio: number; readonly undecided: number } {
  const { m, n } = factors;
  const norms = roundingNorms(c, { rows: m, columns: n }, dtype);
  const suspects = new Map<number, LineError>();
  let [ratio, undecided] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const r = randomSigns(n, stream);
    const [found, expected] = [foundRows(factors, c, r), expectedRows(factors, r)];
    undecided = 0;
    for (let index = 0; index < m; index++) {
      // What goes in is not finite, so nothing can be asked of what comes out.
      if (!Number.isFinite(expected[index])) {
        undecided++;
        continue;
      }
      const residual = (found[index] as number) - (expected[index] as number);
      const off = residual === 0 ? 0 : Math.abs(residual) / (norms[index] as number);
      const size = off >= 0 ? off : Number.POSITIVE_INFINITY;
      ratio = Math.max(ratio, size);
      if (size <= z || suspects.size >= wrongRowsMax) continue;
      suspects.set(index, { index, residual, threshold: z * (norms[index] as number) });
    }
  }
  return { suspects: [...suspects.values()], ratio, undecided };
}

/**
 * The suspects that are wrong, and how many may be right: before they were rounded, sums were made in
 * f32, which leaves more where they cancel; and what is too large for the format is infinite.
 */
function sorted(
  { factors, dtype }: RoundedCheck,
  suspects: readonly LineError[],
): { readonly rows: readonly LineError[]; readonly open: number } {
  if (suspects.length === 0) return { rows: [], open: 0 };
  const scales = rowScales(factors);
  const rows = suspects.flatMap(({ index, residual, threshold }) => {
    const scale = scales[index] as number;
    const most = threshold + sumRoundings(factors.k) * unitOf("f32") * scale;
    const isWrong = Number.isFinite(residual)
      ? Math.abs(residual) > most
      : scale < dtypeInfo(dtype).max;
    return isWrong ? [{ index, residual, threshold: most }] : [];
  });
  return { rows, open: suspects.length - rows.length };
}
