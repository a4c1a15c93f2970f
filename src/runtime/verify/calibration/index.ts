export {
  type Calibration,
  type CalibrationAnswer,
  type CalibrationOptions,
  type CalibrationReading,
  type CalibrationState,
  type CheckVerdict,
  createCalibration,
} from "./calibration.ts";
export { type Calibrations, createCalibrations } from "./calibrations.ts";
export { type Profile, profileOf, shiftOf } from "./profile.ts";
export { quantileOf } from "./running-maxima.ts";
