export {
  type Judgement,
  type JudgementFinding,
  type PropertyName,
  propertyNames,
  type Recovery,
  type RunMetrics,
} from "./judgement.ts";
