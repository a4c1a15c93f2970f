export { type DueFault, type DueOptions, dueFaults } from "./due-faults.ts";
export { createReaper } from "./reaper.ts";
export type { Reaper, ReaperOptions, SweepResult } from "./reaper-options.ts";
