import type { JobEvent, RunRecord } from "../../record/index.ts";
import { findLivelocks } from "../../waits/index.ts";
import { jobEndUs } from "../lineage.ts";
import { quantile } from "../stats/index.ts";

export type StuckForm = "deadlock" | "livelock" | "hang";

/** A time in which a job did not get on. */
export interface StuckIncident {
  readonly form: StuckForm;
  readonly atUs: number;
  readonly ranks: readonly number[];
  /** The class of the wait, where its structure was found. */
  readonly cause: string | null;
  readonly reason: string;
  /** The job noticed by itself: it recovered, or gave up and said so. */
  readonly isResolved: boolean;
}

const hangUsMin = 30_000_000;
const stepsToHang = 5;

/** Incidents that the world saw, and those that the events show by themselves. */
export function stuckIncidents(
  record: RunRecord,
  baselineStepsUs: readonly number[] | null,
): readonly StuckIncident[] {
  const seen = record.events.flatMap((event) =>
    event.kind === "stuck" ? [incidentOf(event, record.events)] : [],
  );
  const livelocks = seen.some(({ form }) => form === "livelock")
    ? []
    : findLivelocks(record.events).map(({ atUs, reason }) => ({
        form: "livelock" as const,
        atUs,
        ranks: [],
        cause: null,
        reason,
        isResolved: isResolved(atUs, "livelock", record.events),
      }));
  const hang = seen.length > 0 ? null : finalHang(record, baselineStepsUs);
  return [...seen, ...livelocks, ...(hang === null ? [] : [hang])];
}

function incidentOf(
  event: Extract<JobEvent, { kind: "stuck" }>,
  events: readonly JobEvent[],
): StuckIncident {
  const { form, atUs, ranks, cause, reason } = event;
  return { form, atUs, ranks, cause, reason, isResolved: isResolved(atUs, form, events) };
}

/** A deadlock is over when somebody notices it; a livelock when a step is done that is new, or the job gives up. */
function isResolved(atUs: number, form: StuckForm, events: readonly JobEvent[]): boolean {
  let furthest = 0;
  for (const event of events) {
    const isLater = event.atUs >= atUs;
    if (isLater && (event.kind === "give-up" || event.kind === "finish")) return true;
    if (isLater && event.kind === "detect" && form !== "livelock") return true;
    if (event.kind !== "step") continue;
    if (event.atUs > atUs && event.step > furthest) return true;
    furthest = Math.max(furthest, event.step);
  }
  return false;
}

/**
 * A run that was cut while nothing had happened for longer than five of its slowest steps, and at least
 * 30 s: nobody saw why, so it is a hang.
 */
function finalHang(
  record: RunRecord,
  baselineStepsUs: readonly number[] | null,
): StuckIncident | null {
  if (record.end !== "cut") return null;
  const endUs = jobEndUs(record);
  const last = record.events.findLast(({ kind }) => isSignOfLife(kind));
  if (last?.kind === "pause") return null;
  const slowestUs = quantile(baselineStepsUs ?? [], 0.99) ?? 0;
  const limitUs = Math.max(hangUsMin, stepsToHang * slowestUs);
  const sinceUs = last?.atUs ?? 0;
  if (endUs - sinceUs <= limitUs) return null;
  return {
    form: "hang",
    atUs: sinceUs + limitUs,
    ranks: [],
    cause: null,
    reason: "nothing happened any more, and nobody noticed",
    isResolved: false,
  };
}

function isSignOfLife(kind: JobEvent["kind"]): boolean {
  return kind !== "memory" && kind !== "sometimes" && kind !== "stuck";
}
