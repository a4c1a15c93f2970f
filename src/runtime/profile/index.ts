export { measured, recordOp } from "./active-sessions.ts";
export type { MeasuredOp, OpRecord } from "./record.ts";
export { region } from "./region.ts";
export type { ReportOptions } from "./report/index.ts";
export { type Session, type SessionOptions, session } from "./session.ts";
export type { Telemetry, TelemetryEvent } from "./telemetry.ts";
