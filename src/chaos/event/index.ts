export { injectableFaults } from "./breakages-of-fault.ts";
export type { ChaosEvent, ChaosOutcome, ChaosReport } from "./chaos-event.ts";
export type { ChaosTarget, LinkTarget } from "./chaos-target.ts";
export { type ChaosSpec, inject } from "./inject.ts";
