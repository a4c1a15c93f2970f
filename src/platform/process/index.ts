export type { ProcessExit, ProcessOptions } from "./options.ts";
export { claimFolder, type OwnedFolder, type OwnedFolderOptions } from "./owned-folder.ts";
export { type ProcessResult, type RunProcessOptions, runProcess } from "./run-process.ts";
export { ProcessStartError } from "./start-error.ts";
export { type RunningProcess, type StartProcessOptions, startProcess } from "./start-process.ts";
