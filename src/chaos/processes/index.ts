/** Processes of a run on this machine: found by its mark, as the kernel lists them, and ended. */
export { endProcesses } from "./end-processes.ts";
export {
  identityOf,
  lookAtProcess,
  processesOfRun,
  runVariable,
  type SeenProcess,
  signalIdentity,
} from "./processes.ts";
