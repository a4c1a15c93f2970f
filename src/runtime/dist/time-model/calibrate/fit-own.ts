import type { MeasuredFit } from "../../topology/index.ts";
import { weigh } from "../forms/form.ts";
import { ownForm } from "../forms/own.ts";
import type { CollectiveOp } from "../types.ts";
import { fitForms, type Measured } from "./fit-form.ts";

/** A measured time of one collective. */
export interface OwnPoint extends Measured {
  readonly op: CollectiveOp;
}

/** A fit, and how far it is from what it was fitted to. */
export interface OwnFit extends MeasuredFit {
  readonly op: CollectiveOp;
  readonly points: number;
  /** Mean of |modelled - measured| / measured. */
  readonly errorMean: number;
  readonly errorMax: number;
}

/** Fits the time model to a machine's own measurements, each collective by itself. */
export function fitOwn(points: readonly OwnPoint[]): readonly OwnFit[] {
  const ops = [...new Set(points.map(({ op }) => op))].toSorted();
  return ops.flatMap((op) => {
    const own = points.filter((point) => point.op === op);
    const form = ownForm(op);
    const weights = fitForms([{ form, points: own }]);
    if (weights === undefined) return [];
    const timeOf = weigh(form, weights);
    const errors = own.map((point) => Math.abs(timeOf(point) - point.timeUs) / point.timeUs);
    return [
      {
        op,
        weights,
        devices: rangeOf(own.map(({ devices }) => devices)),
        bytes: rangeOf(own.map(({ bytes }) => bytes)),
        points: own.length,
        errorMean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
        errorMax: Math.max(...errors),
      },
    ];
  });
}

function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  return { min: Math.min(...values), max: Math.max(...values) };
}
