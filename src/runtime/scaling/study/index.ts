export { chooseSplit, type SplitMemory } from "./choose-split.ts";
export { countsDefault, parseDeviceCounts } from "./device-counts.ts";
export type { GroupFigure } from "./group-figures.ts";
export { halfBandwidthBytes } from "./half-bandwidth.ts";
export { measuredScaling } from "./measured-scaling.ts";
export {
  type ModelOptions,
  modelScaling,
  modelScalingInTurns,
  studyLimits,
} from "./model-scaling.ts";
export { compareWithMegatron, type PublishedComparison } from "./published.ts";
export type {
  DeterminismPrice,
  LeftOut,
  MeasuredStudy,
  ModelledCount,
  ModelledStudy,
  ScalingStudy,
} from "./types.ts";
export { judgeScaling, type RuleVerdict, type ScalingRules } from "./verdicts.ts";
