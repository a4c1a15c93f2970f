export {
  type CollectiveCheck,
  type CollectiveFinding,
  checkAgreement,
  checkAllReduce,
  checkLinear,
} from "./check-collective.ts";
export { type CheckedMatmulOptions, type CheckedProduct, checkedMatmul } from "./checked-matmul.ts";
export { planSums, type RankSums, type SumPlan, sumsOf } from "./collective-sums.ts";
export { type Correction, type CorrectionOutcome, correctElement } from "./correct-element.ts";
export type { LineError } from "./line-errors.ts";
export {
  type CheckOptions,
  createMatmulChecker,
  type MatmulCheck,
  type MatmulChecker,
  type MatmulCheckerOptions,
} from "./matmul-checker.ts";
export { zForChecks, zForRows } from "./output-rounding.ts";
export { rankTag, readRankTags, type TagReading, tagElements } from "./rank-tags.ts";
export { allOnes, randomSigns, type Weights } from "./signs.ts";
