export { parametersOf, workloadDefaults } from "./complete.ts";
export { memoryNeeded, memoryOf } from "./memory.ts";
export { parseWorkload, workloadOf } from "./parse-workload.ts";
export { workloadDefault, workloadNames, workloadPresets } from "./presets.ts";
export type { Split, SplitRule, Workload } from "./types.ts";
export { workloadError } from "./workload-error.ts";
