/** A look at a machine before a job: seconds, and an answer that an exit code can carry. */
export { type ExpectedGpus, expectedGpus } from "./expected-gpus.ts";
export type { Finding } from "./finding.ts";
export { gpusOf } from "./judge-gpus.ts";
export { judgeSightings } from "./judge-sightings.ts";
export { type GateOptions, gateOptions } from "./options.ts";
export { type ComputePlan, planCompute } from "./plan-compute.ts";
export { lookLineSchema, type Sighting } from "./sightings.ts";
export { takeLook } from "./take-look.ts";
