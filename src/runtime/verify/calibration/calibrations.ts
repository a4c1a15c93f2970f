import assert from "node:assert/strict";
import { type Calibration, type CalibrationOptions, createCalibration } from "./calibration.ts";

/** The thresholds of many operators, one for each name. */
export interface Calibrations {
  /** That of an operator; a new one, which has learnt nothing, for a name not seen before. */
  of(operator: string): Calibration;
  readonly size: number;
}

const operatorsMax = 65_536;

/** @param options of every calibration that is made */
export function createCalibrations(options: CalibrationOptions = {}): Calibrations {
  const known = new Map<string, Calibration>();
  return {
    of: (operator) => {
      const found = known.get(operator);
      if (found !== undefined) return found;
      assert(known.size < operatorsMax, `at most ${operatorsMax} operators are calibrated`);
      const made = createCalibration(options);
      known.set(operator, made);
      return made;
    },
    get size() {
      return known.size;
    },
  };
}
