/** Runs written down, and done again. */
export { canonicalJson, hashOf } from "./canonical-json.ts";
export { createTrial, type TrialOptions } from "./create-trial.ts";
export { type EventDifference, firstEventDifference } from "./first-event-difference.ts";
export { type BaselineSummary, type Journal, journalFormat, type ToolVersions } from "./journal.ts";
export type { JudgedRun, Trial } from "./judged-run.ts";
export { readPlan } from "./plan-schema.ts";
export { parseJournal, readJournal } from "./read-journal.ts";
export {
  describeReplay,
  type EntryDifference,
  type Replay,
  type ReplayDifference,
  type ReplayOptions,
  replay,
} from "./replay.ts";
export type { TracingRunOptions, TracingWorld } from "./tracing-world.ts";
export { journalOf, journalText, writeJournal } from "./write-journal.ts";
