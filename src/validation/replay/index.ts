export type { EventLog, LogEvent } from "./event-log.ts";
export type { PolicyMetrics } from "./metrics.ts";
export { LogReader, parseLog } from "./read-log.ts";
export { type BegunTest, type ReplayOptions, replayPolicy } from "./replay.ts";
