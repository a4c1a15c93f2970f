import type { HealthEvent } from "../detectors/nvsentinel/health-event.ts";
import type { HardwareFault } from "../objects/index.ts";

/** What tells a detector's reaction to a test from one to a machine that is really broken. */
export interface FaultCause {
  /** The XIDs that were written. */
  readonly xids: readonly number[];
  /** Nothing from before this is because of the fault. */
  readonly sinceMs: number;
}

/** Every line of ours has it in its text. */
const ownMark = "tessera=";

/** Clocks of nodes differ, and events are dated by the second. */
const skewMs = 60_000;

/** What a fault may have caused; undefined: nothing that a detector would see. */
export function causeOf({ spec, status, metadata }: HardwareFault): FaultCause | undefined {
  if (spec.action.kind !== "xid") return undefined;
  const made = status?.history?.[0]?.at ?? metadata.creationTimestamp ?? "";
  const sinceMs = Date.parse(made);
  return {
    xids: spec.action.lines.map(({ xid }) => xid),
    sinceMs: Number.isNaN(sinceMs) ? 0 : sinceMs,
  };
}

/** True for an event of a line of ours; without the line's text, code and time decide. */
export function isTestEvent(event: HealthEvent, cause: FaultCause | undefined): boolean {
  const { message = "", errorCode = [], generatedTimestamp } = event;
  if (message.includes(ownMark)) return true;
  if (/NVRM: Xid/.test(message)) return false;
  if (cause === undefined) return true;
  const known = errorCode.every((code) => cause.xids.includes(Number(code)));
  const atMs = (generatedTimestamp?.seconds ?? 0) * 1_000;
  return known && atMs >= cause.sinceMs - skewMs;
}

/** The parts of a condition's message that tell of something else than a test. */
export function foreignParts(message: string, cause: FaultCause | undefined): readonly string[] {
  return message
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "...")
    .filter((part) => !isTestPart(part, cause));
}

function isTestPart(part: string, cause: FaultCause | undefined): boolean {
  if (part.includes(ownMark)) return true;
  if (/NVRM: Xid/.test(part)) return false;
  const code = /(?:^| )ErrorCode:(\d+)/.exec(part)?.[1];
  return cause === undefined || code === undefined || cause.xids.includes(Number(code));
}
