import assert from "node:assert/strict";
import type { Form, Sample, Weights } from "../forms/form.ts";
import { nonNegativeLeastSquares } from "./nnls.ts";

/** One measured time. */
export interface Measured extends Sample {
  readonly timeUs: number;
}

/** A form and what was measured of it. Several with the same parameters are fitted as one. */
export interface Evidence {
  readonly form: Form;
  readonly points: readonly Measured[];
}

const rounds = 40;
/** Errors below this count as this, so that a point met exactly does not outweigh all others. */
const errorMin = 0.01;
/** Keeps weights that no point determines at 0. */
const ridge = 1e-4;

/**
 * Weights with the least mean relative error: least squares again and again, each point weighted by
 * the inverse root of its last error, so that single spikes do not pull the curve towards them.
 */
export function fitForms(evidence: readonly Evidence[]): Weights | undefined {
  const parameters = evidence[0]?.form.parameters ?? [];
  for (const { form } of evidence) assert.deepEqual(form.parameters, parameters);
  const rows = evidence.flatMap(({ form, points }) =>
    points.map((point) => form.terms(point).map((term) => term / point.timeUs)),
  );
  if (rows.length === 0) return undefined;
  const scales = parameters.map((_, column) => {
    const largest = Math.max(...rows.map((row) => row[column] ?? 0));
    return largest > 0 ? largest : 1;
  });
  const scaled = rows.map((row) => row.map((term, column) => term / (scales[column] ?? 1)));
  const anchors = parameters.map((_, i) => parameters.map((_, j) => (i === j ? ridge : 0)));
  let importance = scaled.map(() => 1);
  let solution: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const weighted = scaled.map((row, i) => row.map((term) => term * (importance[i] ?? 1)));
    const targets = [...importance, ...anchors.map(() => 0)];
    solution = nonNegativeLeastSquares([...weighted, ...anchors], targets);
    importance = scaled.map((row) => {
      const modelled = row.reduce((sum, term, column) => sum + term * (solution[column] ?? 0), 0);
      return 1 / Math.sqrt(Math.max(errorMin, Math.abs(modelled - 1)));
    });
  }
  const weights = parameters.map((name, column) => {
    const value = (solution[column] ?? 0) / (scales[column] ?? 1);
    return [name, Number(value.toPrecision(5))] as const;
  });
  return Object.fromEntries(weights.filter(([, value]) => value > 0));
}
