export { curveOf, median, quantile } from "./curve.ts";
export { type FitOptions, fitScaling } from "./fit-scaling.ts";
export { karpFlattOf, serialShareOf } from "./karp-flatt.ts";
export { kneeOf } from "./knee.ts";
export {
  type BestModel,
  type CurvePoint,
  type Fitted,
  type Interval,
  type KarpFlatt,
  type Knee,
  type ModelFit,
  type Parameter,
  type Retrograde,
  type ScalingCurve,
  type ScalingFits,
  type ScalingKind,
  type ScalingModel,
  type ScalingSample,
  scalingModels,
} from "./types.ts";
