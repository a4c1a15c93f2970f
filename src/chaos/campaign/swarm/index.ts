/** Plans drawn by chance, each from a seed and a number. */
export { canaryPlan } from "./canary-plan.ts";
export { faultsMax } from "./draw-faults.ts";
export { faultClasses } from "./fault-classes.ts";
export { losesOf } from "./losses.ts";
export { type SwarmKind, type SwarmPlan, swarmKind, swarmKinds, swarmPlan } from "./swarm-plan.ts";
