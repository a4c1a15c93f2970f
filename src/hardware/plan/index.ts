export { type Comparison, compareWithObserved, type ObservedFault } from "./compare.ts";
export type { Answer, DetectorPlan, FaultPlan, PodPlan, Timing } from "./fault-plan.ts";
export { createFaultJudge, type FaultJudge } from "./judge.ts";
export { planFault } from "./plan-fault.ts";
export { describeAction, renderPlan } from "./render-plan.ts";
