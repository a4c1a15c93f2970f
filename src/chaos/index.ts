export { type ExperimentOutcome, experimentOutcomes } from "../platform/words.ts";
export { type CgroupProbeOptions, cgroupProbe, networkProbe } from "./host/index.ts";
