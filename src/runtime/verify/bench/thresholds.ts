import { createCalibration } from "../calibration/index.ts";
import { zForRows } from "../checksums/output-rounding.ts";
import type { BaseProduct } from "./base-product.ts";
import { type BaseSigns, signsFor } from "./base-signs.ts";
import type { Score } from "./types.ts";

/** What clean data may leave at most, learnt from products of one kind of numbers. */
export interface Thresholds {
  readonly ones: number;
  readonly signs: number;
  readonly columns: number;
  /** Not learnt: standard deviations of what rounding leaves at most. */
  readonly rounded: number;
  readonly cleanMax: {
    readonly signs: number;
    readonly ones: number;
    readonly columns: number;
    readonly rounded: number;
  };
  readonly watch: Watch;
}

/** The usual size of a product and of its mean, as one watches losses and gradient norms. */
export interface Watch {
  readonly norm: { readonly mean: number; readonly deviation: number };
  readonly total: { readonly mean: number; readonly deviation: number };
}

/** Standard deviations at which the watch gives alarm. */
const watchZ = 6;
/** So few products tell their deviation with an error of a fifth; the alarm is not to come of that. */
const deviationMin = 2 ** -20;

/** Learns as `createCalibration` does: twice the largest error of clean data. */
export function learnThresholds(
  seen: readonly { readonly product: BaseProduct; readonly signs: BaseSigns }[],
): Thresholds {
  const learnt = (ratios: readonly number[]) => {
    const calibration = createCalibration({
      learnChecks: ratios.length,
      learnLines: 1,
      window: Math.max(64, ratios.length),
    });
    for (const ratio of ratios) {
      calibration.judge({ ratio, worst: Number.POSITIVE_INFINITY, profiles: [], lines: 1 });
    }
    // Spikes among clean data are clean: without the dropped ones it has not learnt enough.
    return calibration.kappa ?? 2 * Math.max(...ratios);
  };
  const of = (pick: (ratios: BaseSigns["cleanRatios"]) => number) => {
    const ratios = seen.map(({ signs }) => pick(signs.cleanRatios));
    return { kappa: learnt(ratios), largest: Math.max(...ratios) };
  };
  const [ones, signs, columns, rounded] = [
    of((ratios) => ratios.ones),
    of((ratios) => ratios.signs),
    of((ratios) => ratios.columns),
    of((ratios) => ratios.rounded),
  ];
  return {
    ones: ones.kappa,
    signs: signs.kappa,
    columns: columns.kappa,
    rounded: zForRows(1e9),
    cleanMax: {
      ones: ones.largest,
      signs: signs.largest,
      columns: columns.largest,
      rounded: rounded.largest,
    },
    watch: {
      norm: spreadOf(seen.map(({ product }) => Math.sqrt(product.squares))),
      total: spreadOf(seen.map(({ product }) => product.total)),
    },
  };
}

/** Whether the watch gives alarm for a product of this size. */
export function watchAlarm(
  watch: Watch,
  { total, squares }: { readonly total: number; readonly squares: number },
): boolean {
  const off = (value: number, { mean, deviation }: Watch["norm"]) =>
    !(Math.abs(value - mean) <= watchZ * deviation);
  return off(Math.sqrt(squares), watch.norm) || off(total, watch.total);
}

/** Lines of fresh clean data above the thresholds. */
export function falseAlarms(
  fresh: readonly { readonly product: BaseProduct; readonly signs: BaseSigns }[],
  thresholds: Thresholds,
): Readonly<Record<"ones" | "signs-1" | "signs-2" | "rows-columns" | "rounded", Score>> {
  const count = (
    of: (one: (typeof fresh)[number]) => number,
    perProduct: (one: BaseProduct) => number,
  ) => ({
    found: fresh.reduce((sum, one) => sum + of(one), 0),
    trials: fresh.reduce((sum, { product }) => sum + perProduct(product), 0),
  });
  const rows = ({ factors }: BaseProduct) => factors.m;
  const above = signsFor(thresholds);
  return {
    ones: count((one) => above.ones(one.product, one.signs), rows),
    "signs-1": count((one) => above.first(one.product, one.signs), rows),
    "signs-2": count((one) => above.either(one.product, one.signs), rows),
    "rows-columns": count(
      (one) => above.first(one.product, one.signs) + above.columns(one.product, one.signs),
      ({ factors }) => factors.m + factors.n,
    ),
    rounded: count((one) => above.rounded(one.product, one.signs), rows),
  };
}

function spreadOf(values: readonly number[]): {
  readonly mean: number;
  readonly deviation: number;
} {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return { mean, deviation: Math.max(deviation, Math.abs(mean) * deviationMin) };
}
