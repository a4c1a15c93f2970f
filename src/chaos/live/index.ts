/** Experiments on what somebody else runs in a cluster: the same for every kind of cluster. */
export type { Deed, Sight } from "./deed.ts";
export { DeedInjector } from "./deed-injector.ts";
export type { LiveJob, LookContext } from "./live-job.ts";
export { LiveRun, leaseMsDefault } from "./live-run.ts";
export type { NodeHook } from "./node-hook.ts";
export { type Readiness, ReadinessBook } from "./readiness-book.ts";
export { recoveryNotes } from "./recovery-notes.ts";
export { rehearseDeeds } from "./rehearse.ts";
export { freshRunName, shortHash } from "./run-name.ts";
export { StepTimes } from "./step-times.ts";
