import { faultNames } from "../fault/fault-names.ts";
import type { JobEvent, RunRecord } from "../record/index.ts";
import type { Finding } from "./properties/finding.ts";

/**
 * The same for two failures of one kind: the property, the message without what varies, and the kind of the
 * event where the run first left the one without faults.
 */
export function signatureOf(
  { property, core }: Pick<Finding, "property" | "core">,
  record: RunRecord,
  baseline: RunRecord | null,
): string {
  return `${property} | ${normalised(core)} | ${firstOther(record, baseline)}`;
}

const anyFault = new RegExp(`\\b(?:${faultNames.join("|")})\\b`, "g");

const countable =
  /\b(rank|step|sample|fault|request|slot|spare|shard|node|replica|generation|checkpoint)s\b/g;

/** Text without numbers, times, names and lists of them. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/sha256:[0-9a-f]+…?|\b[0-9a-f]{8,}…?/g, "#")
    .replace(anyFault, "fault")
    .replace(/\bsteps?-\d+/g, "#")
    .replace(/-?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?/g, "#")
    .replace(/#\s?(?:ns|µs|ms|s|m|h|d)\b(?:\s#\s?(?:s|m|h))?/g, "#t")
    .replace(/#(?:(?:,| and| or)\s?#)+/g, "#")
    .replace(countable, "$1")
    .replace(/\brecoveries\b/g, "recovery")
    .replace(/\b(?:are|were|was)\b/g, "is")
    .replace(/\s+/g, " ")
    .trim();
}

/** The kind of the first event that the run without faults does not have at this place. */
function firstOther(record: RunRecord, baseline: RunRecord | null): string {
  if (baseline === null) return "no baseline";
  const usual = baseline.events.filter(isOfTheJob);
  const own = record.events.filter(isOfTheJob);
  const at = own.findIndex((event, index) => !isSame(event, usual[index]));
  if (at >= 0) return own[at]?.kind ?? "end";
  return own.length < usual.length ? "end" : "none";
}

/** Samples of memory and marks come when they come. */
function isOfTheJob({ kind }: JobEvent): boolean {
  return kind !== "memory" && kind !== "sometimes" && kind !== "request";
}

/** Times differ in every run with a fault; what happened does not, until something breaks. */
function isSame(one: JobEvent, other: JobEvent | undefined): boolean {
  if (other === undefined || one.kind !== other.kind) return false;
  if (one.kind === "step" && other.kind === "step") {
    return one.step === other.step && Object.is(one.loss, other.loss);
  }
  if (one.kind === "save" && other.kind === "save") {
    return one.step === other.step && one.phase === other.phase;
  }
  if (one.kind === "finish" && other.kind === "finish") {
    return one.stateDigest === other.stateDigest;
  }
  return true;
}
