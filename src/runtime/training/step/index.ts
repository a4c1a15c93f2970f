/** One step of training, rank by rank. */
export { exactGradientSums } from "./gradient-sums.ts";
export { startOf } from "./optimizer.ts";
export { type PassesResult, runPasses } from "./passes.ts";
export { type JobPlan, type JobShape, namesOfStage, planJob } from "./plan.ts";
export type { CommonState, RankShard } from "./rank-shard.ts";
export { concludeStep, type RankStep, rankStep } from "./rank-step.ts";
