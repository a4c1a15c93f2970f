export {
  type PlanLimits,
  type PlannedTensor,
  planRedistribute,
  type RedistributeOptions,
} from "./plan/plan.ts";
export type {
  LinkBytes,
  LinkSummary,
  Placed,
  RedistributePlan,
  RedistributeStep,
  StepKind,
} from "./plan/plan-types.ts";
export { redistribute } from "./redistribute.ts";
