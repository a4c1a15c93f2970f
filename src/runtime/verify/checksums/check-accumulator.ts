import type { RngStream } from "../../../platform/rng/index.ts";
import type { CalibrationAnswer, Calibrations, Profile } from "../calibration/index.ts";
import { hasWrongElement } from "./confirm-lines.ts";
import { unitOf } from "./data-of.ts";
import {
  type LineError,
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
  const judged = settings.calibrations
    .of(name)
    .judge({ ratio: ratios.largest, worst, profiles, lines: ratios.decided });
  // Beyond the worst case even an uncalibrated check knows which rows are wrong.
  const kappa = Math.min(judged.kappa ?? worst, worst);
  const above = { kappa, unit: limits.unit, scales, most: wrongLinesMax };
  const suspects = judged.verdict === "corrupt" ? linesAbove(ratios, above) : [];
  const answer = confirmed(judged, suspects, { what, ratios, worst, along: "row" });
  const rows = answer.verdict === "corrupt" ? suspects : [];
  const isLearning = judged.kappa === undefined || isWithout(settings, columnsOf(name));
  const columns =
    what.columns || isLearning || rows.length > 0
      ? checkColumns(what, settings, { limits, worst, rowKappa: kappa })
      : undefined;
  const { verdict, reason } = verdictOf(what, {
    rows: answer,
    undecided: ratios.undecided,
    columns,
  });
  return {
    verdict,
    reason,
    rows,
    columns: verdict === "corrupt" ? (columns?.wrong ?? []) : [],
    ratio: ratios.largest,
    ...(columns === undefined ? {} : { columnRatio: columns.ratio }),
    kappa: answer.kappa,
    calibration: name,
  };
}

/** Columns have a threshold of their own. */
export function columnsOf(name: string): string {
  return `${name} columns`;
}

function isWithout({ calibrations }: CheckSettings, name: string): boolean {
  return calibrations.of(name).kappa === undefined;
}

/** An alarm by the learnt threshold holds only if an element of the lines stands out. */
function confirmed(
  answer: CalibrationAnswer,
  suspects: readonly LineError[],
  o: {
    readonly what: AccumulatorCheck;
    readonly ratios: LineRatios;
    readonly worst: number;
    readonly along: "row" | "column";
  },
): CalibrationAnswer {
  const { what, ratios, worst, along } = o;
  if (answer.verdict !== "corrupt" || !(ratios.largest <= worst)) return answer;
  const { factors, c, dtype } = what;
  const question = { factors, c, unit: unitOf(dtype), worst, along };
  if (hasWrongElement(suspects, question)) return answer;
  const reason = `${answer.reason}, but no element of these ${along}s stands out: their numbers may be of another kind than those it learnt from`;
  return { ...answer, verdict: "inconclusive", reason };
}

interface ColumnAnswer {
  readonly answer: CalibrationAnswer;
  readonly wrong: MatmulCheck["columns"];
  readonly ratio: number;
}

function verdictOf(
  { columns: isAsked }: AccumulatorCheck,
  o: {
    readonly rows: CalibrationAnswer;
    readonly undecided: number;
    readonly columns: ColumnAnswer | undefined;
  },
): Pick<MatmulCheck, "verdict" | "reason"> {
  const { rows, undecided, columns } = o;
  const inColumns = columns?.answer;
  if (rows.verdict === "corrupt") return { verdict: "corrupt", reason: rows.reason };
  if (inColumns?.verdict === "corrupt") {
    return { verdict: "corrupt", reason: `in the columns, ${inColumns.reason}` };
  }
  if (undecided > 0) {
    const reason = `${undecided} rows have operands or sums that are not finite`;
    return { verdict: "inconclusive", reason };
  }
  if (rows.verdict === "clean" && isAsked && inColumns?.verdict === "inconclusive") {
    return { verdict: "inconclusive", reason: `of the columns, ${inColumns.reason}` };
  }
  return { verdict: rows.verdict, reason: rows.reason };
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

/** Their threshold is learnt while that of the rows is; until then that of the rows locates what is wrong. */
function checkColumns(
  what: AccumulatorCheck,
  settings: CheckSettings,
  o: { readonly limits: RatioSettings; readonly worst: number; readonly rowKappa: number },
): ColumnAnswer {
  const { factors, c, profiles, name } = what;
  const { limits, worst, rowKappa } = o;
  const scales = columnScales(factors);
  const l = weightsOf(factors.m, settings);
  const lines = {
    found: foundColumns(factors, c, l),
    expected: expectedColumns(factors, l),
    scales,
  };
  const ratios = lineRatios(lines, limits);
  const { largest: ratio, decided } = ratios;
  const judged = settings.calibrations
    .of(columnsOf(name))
    .judge({ ratio, worst, profiles, lines: decided });
  const kappa = Math.min(judged.kappa ?? rowKappa, worst);
  const above = { kappa, unit: limits.unit, scales, most: wrongLinesMax };
  const wrong = linesAbove(ratios, above);
  return {
    answer: confirmed(judged, wrong, { what, ratios, worst, along: "column" }),
    wrong,
    ratio,
  };
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
