export type {
  GuardBudget,
  GuardFacts,
  GuardNamespace,
  GuardNode,
  GuardPod,
  GuardRequest,
  Known,
  LabelSelector,
} from "./guard-facts.ts";
export { type GuardLimits, guardLimitsDefaults, guardLimitsSchema } from "./guard-limits.ts";
export type { GuardFinding, GuardVerdict } from "./guard-rule.ts";
export { judgeGuard } from "./judge-guard.ts";
export { type ReadGuardFactsOptions, readGuardFacts } from "./read-guard-facts.ts";
