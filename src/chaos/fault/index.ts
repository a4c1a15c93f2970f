export type { BitFlip, FaultRange, FaultSpec } from "./fault-spec.ts";
export { inject } from "./inject.ts";
