/** Comparisons bit for bit, of tensors wherever they lie. */
export type { AnyTensor, Comparable, ComparableLeaf } from "./comparable.ts";
export { equal } from "./equal.ts";
export { report } from "./report.ts";
export type {
  Difference,
  DifferencePattern,
  EqualityReport,
  PatternGuess,
  ReplicaDisagreement,
  StoredValue,
  TensorComparison,
} from "./report-types.ts";
export { ulpDistance } from "./ulp.ts";
