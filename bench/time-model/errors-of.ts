import type { Measured } from "../../src/runtime/dist/time-model/calibrate/fit-form.ts";
import { type Curve, scoredBytesMin } from "./curves.ts";

/** Anything that gives a time for a measured point of a curve. */
export type Predict = (curve: Curve, point: Measured) => number;

/** How far a prediction is off on one curve, as shares of the measured times. */
export interface CurveErrors {
  readonly mean: number;
  readonly worst: number;
  /** Model / measured - 1 of each scored point. */
  readonly residuals: readonly { readonly bytes: number; readonly residual: number }[];
}

/** Scores a prediction on every point of 64 KiB and more. */
export function errorsOf(curve: Curve, predict: Predict): CurveErrors {
  const residuals = curve.points
    .filter(({ bytes }) => bytes >= scoredBytesMin)
    .map((point) => ({
      bytes: point.bytes,
      residual: predict(curve, point) / point.timeUs - 1,
    }));
  const sizes = residuals.map(({ residual }) => Math.abs(residual));
  return { mean: meanOf(sizes), worst: Math.max(...sizes), residuals };
}

/** The mean of some numbers. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
