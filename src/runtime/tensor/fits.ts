import { TesseraError } from "../../platform/errors/index.ts";
import { type DType, dtypeInfo } from "./dtype/index.ts";

export interface FitsOptions {
  /** Also refuse fractions. Default false: they are rounded. */
  readonly whole?: boolean;
}

/** Refuses, with E_DTYPE, values that an integer dtype has no room for. A float takes anything. */
export function assertFits(
  operation: string,
  dtype: DType,
  values: Float64Array,
  { whole = false }: FitsOptions = {},
): void {
  const { kind, min, max } = dtypeInfo(dtype);
  if (kind === "float") return;
  for (const value of values) {
    // What rounds to an end of the range fits: the lowest value is even and wins a tie, the highest
    // is odd and loses it. NaN is nowhere.
    const within = value >= min - 0.5 && value < max + 0.5;
    if (!within || (whole && !Number.isInteger(value))) {
      throw new TesseraError("E_DTYPE", {
        operation,
        problem: `the value ${value} does not fit ${dtype}`,
      });
    }
  }
}
