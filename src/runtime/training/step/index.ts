/** One step of training, rank by rank. */
export { startOf } from "./optimizer.ts";
export { type JobPlan, type JobShape, namesOfStage, planJob } from "./plan.ts";
export type { CommonState, RankShard } from "./rank-shard.ts";
export { type RankStep, rankStep } from "./rank-step.ts";
