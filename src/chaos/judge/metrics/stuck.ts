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
  const hangs = silences(record, baselineStepsUs).filter(
    ({ fromUs, toUs }) => !seen.some(({ atUs }) => atUs >= fromUs && atUs <= toUs),
  );
  return [...seen, ...livelocks, ...hangs.map((one) => hangOf(one, record.events))];
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

interface Silence {
  readonly fromUs: number;
  readonly toUs: number;
  readonly limitUs: number;
}

/**
 * Times in which nothing happened for longer than five of the slowest steps, and at least 30 s, though the job
 * was not starting, saving, meeting, loading or waiting for a person. Whoever is cut off has no excuse.
 */
function silences(
  record: RunRecord,
  baselineStepsUs: readonly number[] | null,
): readonly Silence[] {
  const slowestUs = quantile(baselineStepsUs ?? [], 0.99) ?? 0;
  const limitUs = Math.max(hangUsMin, stepsToHang * slowestUs);
  const found: Silence[] = [];
  let last: JobEvent | null = null;
  for (const event of record.events) {
    if (!isSignOfLife(event.kind)) continue;
    const isHang = last !== null && mustComeOn(last) && event.atUs - last.atUs > limitUs;
    if (last !== null && isHang) found.push({ fromUs: last.atUs, toUs: event.atUs, limitUs });
    last = event;
  }
  const endUs = jobEndUs(record);
  const fromUs = last?.atUs ?? 0;
  const isCut = record.end === "cut" && last?.kind !== "pause";
  if (isCut && endUs - fromUs > limitUs) found.push({ fromUs, toUs: endUs, limitUs });
  return found;
}

/** After these the next step is due, and no longer wait has been declared. */
function mustComeOn(event: JobEvent): boolean {
  if (event.kind === "save") return event.phase !== "begun";
  if (event.kind === "restore") return event.phase === "done";
  return event.kind === "step";
}

function hangOf({ fromUs, limitUs }: Silence, events: readonly JobEvent[]): StuckIncident {
  const atUs = fromUs + limitUs;
  const resolved = isResolved(atUs, "hang", events);
  return {
    form: "hang",
    atUs,
    ranks: [],
    cause: null,
    reason: `nothing happened any more${resolved ? " for too long" : ", and nobody noticed"}`,
    isResolved: resolved,
  };
}

function isSignOfLife(kind: JobEvent["kind"]): boolean {
  return kind !== "memory" && kind !== "sometimes" && kind !== "stuck";
}
