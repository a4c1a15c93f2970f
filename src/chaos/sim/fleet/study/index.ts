export { bestIntervalS, failuresPerDay } from "./best-interval.ts";
export { type FleetStudy, type RunBand, studyFleet } from "./fleet-study.ts";
export { type PublishedJobName, publishedJobs } from "./published-jobs.ts";
export {
  type AssembledScenario,
  assemble,
  devicesPerNode,
  type FleetInputs,
  type FleetScenario,
  type InputChanges,
  withInputs,
} from "./scenario.ts";
