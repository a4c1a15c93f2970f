export type { RiskOptions } from "./options.ts";
export { createLiveRiskPolicy, createRiskPolicy, type LiveRiskPolicy } from "./risk.ts";
