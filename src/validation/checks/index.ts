/** What runs on a node: the catalogue of checks, the interface they share, and what runs one. */
export {
  availableChecks,
  checkCatalogue,
  findCheck,
  findPlugIns,
  type PreparedCheck,
  prepareCheck,
} from "./catalogue.ts";
export {
  type Check,
  type CheckContext,
  type CheckHost,
  type CheckOutput,
  type CheckProfile,
  checkProfiles,
  defineCheck,
  type Requirement,
} from "./check.ts";
export { describeCheckHost } from "./check-host.ts";
export { createCommandCheck } from "./command/index.ts";
export { type ExecuteOptions, type Execution, executeCheck } from "./execute-check.ts";
export { findGpus, type GpuView } from "./find-gpus.ts";
export { createPlugInCheck, type PlugIns, plugInKey, withPlugIn } from "./plug-in/index.ts";
