export { type BlastRadius, blastRadiusOf, type PredictedRecovery } from "./blast-radius.ts";
export { type ClaimFinding, judgeClaims } from "./claims.ts";
export { type FaultForce, forceOf } from "./force.ts";
export { type ResolveOptions, resolveExperiment } from "./resolve-experiment.ts";
export type { KnownPod } from "./targets.ts";
