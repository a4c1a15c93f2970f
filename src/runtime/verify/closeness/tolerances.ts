import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import { verifyError } from "../equality/verify-error.ts";
import type { CloseOptions, Tolerance } from "./close-types.ts";

/**
 * What two ways to compute the same may differ by. Of f64 to bf16 the usual figures of numeric suites;
 * of fp8 one step, which near 1 is an eighth for e4m3 and a quarter for e5m2. Integers are exact. Steps
 * never allow more than `rtol` does near 1 (64 steps of bf16, as some suites have, are half the value):
 * they help where values are so small that their steps are wide.
 */
export const toleranceTable: Readonly<Record<DType, Tolerance>> = {
  f64: { atol: 1e-12, rtol: 1e-9, maxUlp: 4 },
  f32: { atol: 1e-6, rtol: 1e-5, maxUlp: 8 },
  f16: { atol: 5e-3, rtol: 1e-2, maxUlp: 8 },
  bf16: { atol: 6e-3, rtol: 1.5e-2, maxUlp: 1 },
  e4m3: { atol: 2 ** -9, rtol: 0.125, maxUlp: 1 },
  e5m2: { atol: 2 ** -16, rtol: 0.25, maxUlp: 1 },
  i32: { atol: 0, rtol: 0, maxUlp: 0 },
  u8: { atol: 0, rtol: 0, maxUlp: 0 },
};

/** The dtype with fewer bits of precision; a float beside an integer. */
export function coarserOf(one: DType, other: DType): DType {
  const [a, b] = [dtypeInfo(one), dtypeInfo(other)];
  if (a.kind !== b.kind) return a.kind === "float" ? one : other;
  return a.precision <= b.precision ? one : other;
}

/**
 * What is allowed for these dtypes and options. A sum of k terms is rounded in its accumulator, f64 for
 * f64 and f32 for the others, and errors of random sign grow with the square root of k: so √k - 1 times
 * the accumulator's row is added to that of the result.
 *
 * @throws E_VERIFY for options out of range.
 */
export function toleranceFor(dtype: DType, options: CloseOptions): Tolerance {
  const { atol, rtol, maxUlp, op, k } = options;
  for (const [name, value] of Object.entries({ atol, rtol, maxUlp })) {
    if (value === undefined || (value >= 0 && Number.isFinite(value))) continue;
    throw verifyError(`allClose: ${name} is a finite number from 0, not ${value}`);
  }
  if ((op === undefined) !== (k === undefined)) {
    throw verifyError("allClose: `op` and `k` are given together");
  }
  if (k !== undefined && !(Number.isSafeInteger(k) && k >= 0)) {
    throw verifyError(`allClose: k is a whole number from 0, not ${k}`);
  }
  if ([atol, rtol, maxUlp].some((given) => given !== undefined)) {
    if (k !== undefined)
      throw verifyError("allClose: `k` grows the table; a tolerance was given too");
    return { atol: atol ?? 0, rtol: rtol ?? 0, maxUlp: maxUlp ?? 0 };
  }
  const row = toleranceTable[dtype];
  if (k === undefined || dtypeInfo(dtype).kind === "integer") return row;
  const accumulator = toleranceTable[dtype === "f64" ? "f64" : "f32"];
  const more = Math.max(Math.sqrt(k) - 1, 0);
  return {
    atol: row.atol + more * accumulator.atol,
    rtol: row.rtol + more * accumulator.rtol,
    // Steps of the result: those of the accumulator are finer where the result is shorter.
    maxUlp: row.maxUlp + (row === accumulator ? Math.floor(more * row.maxUlp) : 0),
  };
}
