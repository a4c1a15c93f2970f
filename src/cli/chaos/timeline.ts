import type { JobEvent, RunRecord } from "../../chaos/record/index.ts";
import { eventText } from "../../chaos/report/index.ts";

/** A moment that a person who looks for what happened wants to see. */
export interface TimelineEntry {
  readonly atUs: number;
  readonly text: string;
}

const entriesMax = 60;

/** Faults, recoveries and ends in the order of time; plain steps and saves are left out. */
export function timelineOf(record: RunRecord): readonly TimelineEntry[] {
  const entries = [...record.injections.flatMap(injectionEntries), ...eventEntries(record.events)];
  const sorted = entries.toSorted((a, b) => a.atUs - b.atUs);
  if (sorted.length <= entriesMax) return sorted;
  const head = sorted.slice(0, entriesMax / 2);
  const tail = sorted.slice(-entriesMax / 2);
  const left = sorted.length - head.length - tail.length;
  return [...head, { atUs: head.at(-1)?.atUs ?? 0, text: `… ${left} more …` }, ...tail];
}

function injectionEntries(one: RunRecord["injections"][number]): readonly TimelineEntry[] {
  const name = `${one.fault}${one.target === "" ? "" : ` on ${one.target}`}`;
  const moments = [
    { atUs: one.injectedUs, text: `! ${name}` },
    { atUs: one.effectUs, text: `! ${name}, effect: ${one.effect ?? "seen"}` },
    { atUs: one.revertedUs, text: `! ${name}, undone` },
  ];
  return moments.flatMap(({ atUs, text }) => (atUs === null ? [] : [{ atUs, text }]));
}

function eventEntries(events: readonly JobEvent[]): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  // The first step, and the first after every restore: what a recovery is for.
  let isFirst = true;
  for (const event of events) {
    if (event.kind === "restore" && event.phase === "done") isFirst = true;
    const text =
      event.kind === "step"
        ? isFirst
          ? `first step: ${event.step}`
          : undefined
        : eventText(event);
    if (event.kind === "step") isFirst = false;
    if (text !== undefined) entries.push({ atUs: event.atUs, text });
  }
  return entries;
}
