export { allowedLoss, compareWithBaseline, type Deviation } from "./compare.ts";
export { type CohortDrift, findDrift, takesPart } from "./drift.ts";
export {
  type BaselineScope,
  baselinesInForce,
  describeScope,
  scopeKey,
  scopeOf,
  scopeOfRun,
} from "./find-baseline.ts";
export { type GuardObjection, guardBaseline } from "./guard.ts";
export { type KeptBaselines, keepBaselines } from "./keep-baselines.ts";
export { learnBaselines, type UnlearnedScope } from "./learn.ts";
export {
  activateBaseline,
  type BaselineDeed,
  expireBaselines,
  findBaseline,
  objectionsTo,
  type Proposal,
  proposeBaselines,
  rejectBaseline,
} from "./life-cycle.ts";
export type { BaselineOptions } from "./options.ts";
export { proposeByHand } from "./propose-by-hand.ts";
