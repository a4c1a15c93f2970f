export { type ExperimentOutcome, experimentOutcomes } from "../platform/words.ts";
export {
  type ChaosEvent,
  type ChaosOutcome,
  type ChaosReport,
  type ChaosSpec,
  type ChaosTarget,
  inject,
  injectableFaults,
  type LinkTarget,
} from "./event/index.ts";
export { type CgroupProbeOptions, cgroupProbe, networkProbe } from "./host/index.ts";
