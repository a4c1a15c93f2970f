import type { JobEvent, RunRecord } from "../../chaos/record/index.ts";
import { ranksText } from "./words.ts";

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
      event.kind === "step" ? (isFirst ? `first step: ${event.step}` : undefined) : textOf(event);
    if (event.kind === "step") isFirst = false;
    if (text !== undefined) entries.push({ atUs: event.atUs, text });
  }
  return entries;
}

function textOf(event: Exclude<JobEvent, { kind: "step" }>): string | undefined {
  switch (event.kind) {
    case "generation":
      return `generation ${event.generation} of ${event.ranks} ranks: ${event.reason}`;
    case "save":
      return event.phase === "failed"
        ? `save ${event.tag} failed: ${event.reason ?? ""}`
        : undefined;
    case "restore":
      return restoreText(event);
    case "detect":
      return `noticed by ${event.by} (${ranksText(event.ranks)}): ${event.reason}`;
    case "isolate":
      return `isolated: ${ranksText(event.ranks)}`;
    case "pause":
    case "resume":
      return `${event.kind}: ${event.reason}`;
    case "stuck":
      return `${event.form} (${event.cause ?? "cause unknown"}): ${event.reason}`;
    case "finish":
      return "finished";
    case "give-up":
      return `gave up: ${event.reason}`;
    case "memory":
    case "request":
    case "sometimes":
      return undefined;
  }
}

function restoreText(event: Extract<JobEvent, { kind: "restore" }>): string | undefined {
  const from = event.tag ?? "the beginning";
  if (event.phase === "begun") return undefined;
  if (event.phase === "done") return `back at step ${event.step} from ${from}`;
  return `restore from ${from} ${event.phase}: ${event.reason ?? ""}`;
}
