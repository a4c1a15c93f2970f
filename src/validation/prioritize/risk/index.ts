export type { RiskOptions } from "./options.ts";
export { createRiskPolicy } from "./risk.ts";
