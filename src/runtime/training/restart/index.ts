/** Whether a run that was interrupted goes on as if it had not been. */
export type {
  RestartDifference,
  RestartOptions,
  RestartReport,
  RestartRun,
  RestartVerdict,
} from "./types.ts";
export { validateRestart } from "./validate-restart.ts";
