/** The numbers of a simulated training job: real ones, or handles that only count. */
export { createNumerics } from "./create-numerics.ts";
export { bytesOfJob, type JobBytes } from "./job-bytes.ts";
export type {
  Corruption,
  NumericInputs,
  NumericStep,
  Numerics,
  ReplicaInput,
  StateRef,
} from "./numerics.ts";
export { stateDigest } from "./state-digest.ts";
export { createTimingNumerics } from "./timing-numerics.ts";
