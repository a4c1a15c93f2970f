export { type FailureFeed, listedFeed } from "./failure-feed.ts";
export {
  type FleetJob,
  type FleetPolicy,
  fleetJobProblem,
  fleetNodesMax,
  fleetPolicies,
} from "./fleet-job.ts";
export type { FleetResult } from "./fleet-result.ts";
export {
  createFleetRun,
  type FleetRun,
  type FleetRunOptions,
  simulateFleetJob,
} from "./simulate-fleet.ts";
export { type FleetTimeUse, fleetTimeUses } from "./time-book.ts";
