import assert from "node:assert/strict";
import type { Rng, RngStream } from "../../../platform/rng/index.ts";
import { aiccOf, bestModel } from "./akaike.ts";
import { drawRuns, intervalOf } from "./bootstrap.ts";
import { curveOf } from "./curve.ts";
import { karpFlattOf } from "./karp-flatt.ts";
import { kneeOf } from "./knee.ts";
import { type Law, laws, type Seen } from "./laws.ts";
import { retrogradeOf } from "./retrograde.ts";
import {
  type Fitted,
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

/** A law drawn again: from whole runs, or from its own residuals. */
type Again = (law: Law, draw: number) => readonly Seen[];

/**
 * The curve of the samples and everything that can be said about it. Each part says by itself when
 * there are too few counts for it. Confidence is by resampling: of the runs where counts have
 * several, otherwise of the residuals.
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
  const again: Again = several
    ? (_, draw) => drawn[draw]?.points ?? []
    : (law) => drawResiduals(plain, law, stream);
  const enough = resamples > 0 && (several || plain.points.length >= residualsMin);
  const draws = enough ? resamples : 0;
  const fitted = scalingModels.map(
    (model) => [model, fitModel(plain, model, { again, draws, level })] as const,
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
      confidence: {
        level,
        resamples: draws,
        from: draws === 0 ? "none" : several ? "runs" : "residuals",
      },
    },
  };
}

function drawCurves(
  samples: readonly ScalingSample[],
  kind: ScalingKind,
  { rng, resamples }: { readonly rng: Rng; readonly resamples: number },
): readonly ScalingCurve[] {
  const stream = rng.stream("scaling", "runs");
  return Array.from({ length: resamples }, () => curveOf(drawRuns(samples, stream), kind));
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

function drawResiduals(curve: ScalingCurve, law: Law, stream: RngStream): readonly Seen[] {
  const factors = curve.points.map(
    ({ relativeDevices, speedUp }) => speedUp / law.capacity(relativeDevices),
  );
  return curve.points.map(({ relativeDevices }) => ({
    relativeDevices,
    speedUp: law.capacity(relativeDevices) * stream.pick(factors),
  }));
}

function fitModel(
  curve: ScalingCurve,
  model: ScalingModel,
  options: { readonly again: Again; readonly draws: number; readonly level: number },
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
  const drawn = Array.from({ length: options.draws }, (_, draw) => fit(options.again(law, draw)));
  const among = (of: (law: Law) => number) => intervalOf(drawn.map(of), options.level);
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
