import assert from "node:assert/strict";
import type { Rng, RngStream } from "../../../platform/rng/index.ts";
import { aiccOf, bestModel } from "./akaike.ts";
import { createRunDraw, drawAround, intervalOf } from "./bootstrap.ts";
import { curveOf } from "./curve.ts";
import { karpFlattOf } from "./karp-flatt.ts";
import { kneeOf } from "./knee.ts";
import { type Law, laws, type Seen } from "./laws.ts";
import { retrogradeOf } from "./retrograde.ts";
import {
  type Fitted,
  type Interval,
  type ModelFit,
  type ScalingCurve,
  type ScalingFits,
  type ScalingKind,
  type ScalingModel,
  type ScalingSample,
  scalingModels,
} from "./types.ts";

const resamplesDefault = 300;
const resamplesMax = 10_000;
const levelDefault = 0.95;
const gainMinDefault = 0.7;
/** Fewer distances from a law than this are no distribution to draw from. */
const residualsMin = 5;

export interface FitOptions {
  readonly rng: Rng;
  /** @default 300 */
  readonly resamples?: number;
  /** @default 0.95 */
  readonly level?: number;
  /** What a doubling of devices must gain of a doubled throughput to be worth it. @default 0.7 */
  readonly kneeGainMin?: number;
}

/** What one law is drawn from again, one set for each way. */
type Again = (law: Law, freedoms: number) => readonly (readonly (readonly Seen[])[])[];

/**
 * The curve of the samples and everything that can be said about it. Each part says by itself when
 * there are too few counts for it. Confidence is by resampling: of the runs where counts have
 * several, and of the residuals, which also know how far the law is off; the wider of both counts.
 */
export function fitScaling(
  samples: readonly ScalingSample[],
  kind: ScalingKind,
  options: FitOptions,
): { readonly curve: ScalingCurve; readonly fits: ScalingFits } {
  const { rng, resamples = resamplesDefault, level = levelDefault } = options;
  const { kneeGainMin = gainMinDefault } = options;
  assert(Number.isInteger(resamples) && resamples >= 0 && resamples <= resamplesMax, "resamples");
  const plain = curveOf(samples, kind);
  const several = samples.some(({ timesS }) => timesS.length > 1);
  const drawn = several ? drawCurves(samples, kind, { rng, resamples }) : [];
  const curve = several ? withIntervals(plain, drawn, level) : plain;
  const stream = rng.stream("scaling", "residuals");
  const judged = plain.points.length >= residualsMin;
  const again: Again = (law, freedoms) => [
    ...(several ? [drawn.map(({ points }) => points)] : []),
    ...(judged ? [drawResiduals(plain, { law, freedoms, resamples }, stream)] : []),
  ];
  const fitted = scalingModels.map(
    (model) => [model, fitModel(plain, model, { again, level })] as const,
  );
  const models = Object.fromEntries(fitted) as ScalingFits["models"];
  return {
    curve,
    fits: {
      models,
      best: bestModel(models, plain.points.length),
      karpFlatt: karpFlattOf(plain),
      retrograde: retrogradeOf(plain, models.usl),
      knee: kneeOf(plain, kneeGainMin),
      confidence: confidenceOf({ level, resamples, several, judged }),
    },
  };
}

function confidenceOf(drawn: {
  readonly level: number;
  readonly resamples: number;
  readonly several: boolean;
  readonly judged: boolean;
}): ScalingFits["confidence"] {
  const { level, resamples, several, judged } = drawn;
  if (resamples === 0 || (!several && !judged)) return { level, resamples: 0, from: "none" };
  return { level, resamples, from: !judged ? "runs" : several ? "both" : "residuals" };
}

function drawCurves(
  samples: readonly ScalingSample[],
  kind: ScalingKind,
  { rng, resamples }: { readonly rng: Rng; readonly resamples: number },
): readonly ScalingCurve[] {
  const draw = createRunDraw(samples, rng.stream("scaling", "runs"));
  return Array.from({ length: resamples }, () => curveOf(draw(), kind));
}

/** The base is compared with itself and has no interval; nor has a count that was run once. */
function withIntervals(
  curve: ScalingCurve,
  drawn: readonly ScalingCurve[],
  level: number,
): ScalingCurve {
  const points = curve.points.map((point, at) => {
    if (at === 0 || drawn.length === 0 || point.runs < 2) return point;
    const values = drawn.map(({ points: again }) => again[at]?.efficiency ?? Number.NaN);
    return { ...point, efficiencyInterval: intervalOf(values, level) };
  });
  return { ...curve, points };
}

function drawResiduals(
  { points }: ScalingCurve,
  of: { readonly law: Law; readonly freedoms: number; readonly resamples: number },
  stream: RngStream,
): readonly (readonly Seen[])[] {
  const { law, freedoms, resamples } = of;
  const seen = points.map(({ speedUp }) => speedUp);
  const fitted = points.map(({ relativeDevices }) => law.capacity(relativeDevices));
  return Array.from({ length: resamples }, () => {
    const drawn = drawAround({ seen, fitted, freedoms }, stream);
    return points.map(({ relativeDevices }, at) => ({ relativeDevices, speedUp: drawn[at] ?? 1 }));
  });
}

function fitModel(
  curve: ScalingCurve,
  model: ScalingModel,
  options: { readonly again: Again; readonly level: number },
): Fitted<ModelFit> {
  const { points } = curve;
  const { countsMin, freedoms, fit } = laws[model];
  if (points.length < countsMin) {
    const reason = `${model} needs ${countsMin} counts, and there are ${points.length}`;
    return { status: "inconclusive", reason };
  }
  const law = fit(points);
  const residuals = points.map((point) => law.capacity(point.relativeDevices) / point.speedUp - 1);
  const sizes = residuals.map(Math.abs);
  const squares = residuals.map((residual) => Math.log1p(residual) ** 2);
  const meanSquare = squares.reduce((sum, square) => sum + square, 0) / points.length;
  const aicc = aiccOf({ count: points.length, freedoms, meanSquare });
  const drawn = options
    .again(law, freedoms)
    .map((tables) => tables.map(fit))
    .filter((laws) => laws.length > 0);
  const among = (of: (law: Law) => number): Interval => {
    const ways = drawn.map((laws) => intervalOf(laws.map(of), options.level));
    return {
      low: Math.min(...ways.map(({ low }) => low)),
      high: Math.max(...ways.map(({ high }) => high)),
    };
  };
  const efficiencyAt = (one: Law, n: number) => one.capacity(n) / n;
  return {
    status: "fitted",
    model,
    parameters: Object.fromEntries(
      Object.entries(law.parameters).map(([name, value]) => [
        name,
        drawn.length === 0
          ? { value }
          : { value, interval: among(({ parameters }) => parameters[name] ?? 0) },
      ]),
    ),
    baseShare: law.capacity(1),
    errorMean: sizes.reduce((sum, size) => sum + size, 0) / points.length,
    errorMax: Math.max(...sizes),
    residuals,
    efficiency: points.map(({ relativeDevices }) => efficiencyAt(law, relativeDevices)),
    ...(drawn.length === 0
      ? {}
      : {
          efficiencyInterval: points.map(({ relativeDevices }) =>
            among((one) => efficiencyAt(one, relativeDevices)),
          ),
        }),
    atBound: law.atBound,
    ...(aicc === undefined ? {} : { aicc }),
  };
}
