import type { RngStream } from "../../../platform/rng/index.ts";
import type { CalibrationAnswer, Calibrations, Profile } from "../calibration/index.ts";
import { unitOf } from "./data-of.ts";
import {
  type LineRatios,
  largerOf,
  lineRatios,
  linesAbove,
  type RatioSettings,
} from "./line-errors.ts";
import type { MatmulCheck } from "./matmul-checker.ts";
import {
  columnScales,
  expectedColumns,
  expectedRows,
  type Factors,
  foundColumns,
  foundRows,
  rowScales,
} from "./product-sides.ts";
import { allOnes, randomSigns, type Weights } from "./signs.ts";
import type { DataArray } from "./sums.ts";

export interface CheckSettings {
  readonly stream: RngStream;
  readonly trials: number;
  readonly weights: "signs" | "ones";
  readonly calibrations: Calibrations;
  readonly z: number;
}

export interface AccumulatorCheck {
  readonly factors: Factors;
  readonly c: DataArray;
  readonly dtype: "f32" | "f64";
  readonly profiles: readonly Profile[];
  /** Of the calibration. */
  readonly name: string;
  readonly columns: boolean;
}

const wrongLinesMax = 1024;

/** The check of a product in the format its sums were made in. */
export function checkAccumulator(what: AccumulatorCheck, settings: CheckSettings): MatmulCheck {
  const { factors, profiles, name } = what;
  const limits = ratioSettings(what);
  const scales = rowScales(factors);
  const ratios = rowRatios(what, settings, { scales, limits });
  const worst = worstRatio(what);
  const calibration = settings.calibrations.of(name);
  const learning = calibration.kappa === undefined;
  const answer = calibration.judge({ ratio: ratios.largest, worst, profiles });
  // Beyond the worst case even an uncalibrated check knows which rows are wrong.
  const kappa = answer.kappa ?? worst;
  const rows =
    answer.verdict === "corrupt"
      ? linesAbove(ratios, { kappa, unit: limits.unit, scales, most: wrongLinesMax })
      : [];
  const wantsColumns = what.columns || learning || rows.length > 0;
  const columns = wantsColumns
    ? checkColumns(what, settings, { limits, worst, rowKappa: kappa })
    : undefined;
  return {
    ...verdictOf(answer, ratios, columns),
    rows,
    columns: columns?.wrong ?? [],
    ratio: ratios.largest,
    kappa: answer.kappa,
  };
}

interface ColumnAnswer {
  readonly answer: CalibrationAnswer;
  readonly wrong: MatmulCheck["columns"];
}

function verdictOf(
  rows: CalibrationAnswer,
  { undecided }: LineRatios,
  columns: ColumnAnswer | undefined,
): Pick<MatmulCheck, "verdict" | "reason"> {
  if (rows.verdict === "corrupt") return rows;
  if (columns?.answer.verdict === "corrupt") {
    return { verdict: "corrupt", reason: `in the columns, ${columns.answer.reason}` };
  }
  if (undecided > 0) {
    const reason = `${undecided} rows have operands or sums that are not finite`;
    return { verdict: "inconclusive", reason };
  }
  return rows;
}

function rowRatios(
  { factors, c }: AccumulatorCheck,
  settings: CheckSettings,
  { scales, limits }: { readonly scales: Float64Array; readonly limits: RatioSettings },
): LineRatios {
  const all = Array.from({ length: settings.trials }, () => {
    const r = weightsOf(factors.n, settings);
    const lines = { found: foundRows(factors, c, r), expected: expectedRows(factors, r), scales };
    return lineRatios(lines, limits);
  });
  return largerOf(all);
}

/** Columns have a threshold of their own, learnt while that of the rows is; until then that of the rows. */
function checkColumns(
  what: AccumulatorCheck,
  settings: CheckSettings,
  o: { readonly limits: RatioSettings; readonly worst: number; readonly rowKappa: number },
): ColumnAnswer {
  const { factors, c, profiles, name } = what;
  const scales = columnScales(factors);
  const l = weightsOf(factors.m, settings);
  const lines = {
    found: foundColumns(factors, c, l),
    expected: expectedColumns(factors, l),
    scales,
  };
  const ratios = lineRatios(lines, o.limits);
  const calibration = settings.calibrations.of(`${name} columns`);
  const answer = calibration.judge({ ratio: ratios.largest, worst: o.worst, profiles });
  const kappa = answer.kappa ?? o.rowKappa;
  const { unit } = o.limits;
  return { answer, wrong: linesAbove(ratios, { kappa, unit, scales, most: wrongLinesMax }) };
}

function weightsOf(count: number, { weights, stream }: CheckSettings): Weights {
  return weights === "ones" ? allOnes(count) : randomSigns(count, stream);
}

function ratioSettings({ dtype, factors }: AccumulatorCheck): RatioSettings {
  const smallest = dtype === "f64" ? 2 ** -1074 : 2 ** -149;
  return {
    unit: unitOf(dtype),
    slack: factors.k * Math.max(factors.m, factors.n) * smallest,
    overflow: dtype === "f64" ? 2 ** 1023 : 2 ** 127,
  };
}

/**
 * Higham: a chain of k products and sums is off by k units of its scale at most, to first order. Our
 * own sums are in f64; beside an f64 product they count as much.
 */
function worstRatio({ dtype, factors: { m, k, n } }: AccumulatorCheck): number {
  const longest = dtype === "f64" ? 2 * (k + Math.max(m, n)) : k + 1;
  const unit = unitOf(dtype);
  return longest * unit < 0.5 ? longest / (1 - longest * unit) : Number.POSITIVE_INFINITY;
}
