/**
 * Whether two results are the same, whether one is right, and where it is not: comparisons bit for bit
 * and but for rounding, functions run again, products computed elsewhere, checksums of products and
 * collectives, hashes of memory at rest. What is not calibrated says `inconclusive`.
 */

export * from "./calibration/index.ts";
export * from "./checksums/index.ts";
export {
  allClose,
  type CloseOptions,
  type CloseVerdict,
  type SummingOp,
  type Tolerance,
  toleranceTable,
  type WorstElement,
} from "./closeness/index.ts";
export * as corruption from "./corruption/index.ts";
export * from "./determinism/index.ts";
export * from "./equality/index.ts";
export * from "./redundant/index.ts";
export * from "./scrub/index.ts";
