export { type Attribution, attribute, type Bottleneck, shapley } from "./attribution/index.ts";
export {
  curveOf,
  type FitOptions,
  type Fitted,
  fitScaling,
  type ModelFit,
  type ScalingCurve,
  type ScalingFits,
  type ScalingKind,
  type ScalingModel,
  type ScalingSample,
} from "./fits/index.ts";
export { type Knob, type StepQuery, type StepTime, stepTime } from "./step/index.ts";
export {
  chooseSplit,
  compareWithMegatron,
  halfBandwidthBytes,
  judgeScaling,
  type MeasuredStudy,
  type ModelledStudy,
  type ModelOptions,
  measuredScaling,
  modelScaling,
  type PublishedComparison,
  type RuleVerdict,
  type ScalingRules,
  type ScalingStudy,
} from "./study/index.ts";
export { parseTable, type Run } from "./table/index.ts";
export {
  parseWorkload,
  type Split,
  type SplitRule,
  type Workload,
  workloadNames,
  workloadOf,
} from "./workload/index.ts";
