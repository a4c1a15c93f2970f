/** Comparisons but for rounding. */
export { ulpDistance } from "../equality/ulp.ts";
export { allClose } from "./all-close.ts";
export type {
  CloseOptions,
  CloseVerdict,
  SummingOp,
  Tolerance,
  WorstElement,
} from "./close-types.ts";
export { toleranceTable } from "./tolerances.ts";
