import { version } from "../../version.ts";
import type { Judgement } from "../judge/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { JobEvent, RunRecord } from "../record/index.ts";
import { compareTraces, type Trace, type TraceEntry } from "../sim/engine/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { createTrial } from "./create-trial.ts";
import { type EventDifference, firstEventDifference } from "./first-event-difference.ts";
import type { Journal } from "./journal.ts";
import type { JudgedRun } from "./judged-run.ts";
import type { TracingWorld } from "./tracing-world.ts";

export interface ReplayOptions {
  readonly world: TracingWorld;
  readonly judge: (plan: ChaosPlan, record: RunRecord, baseline: RunRecord | null) => Judgement;
  readonly signal: AbortSignal;
}

/** A journal against the same plan, run again. */
export interface Replay {
  readonly run: JudgedRun;
  /** None: it came out the same. */
  readonly differences: readonly ReplayDifference[];
  /** Where they part; null: nowhere, or nobody can tell. */
  readonly firstEvent: EventDifference | null;
  /** Entries of the trace between which they part. */
  readonly firstEntry: EntryDifference | null;
  /** What was not compared, and versions that differ, each in a sentence. */
  readonly notes: readonly string[];
}

export interface ReplayDifference {
  readonly what: "trace hash" | "state digest" | "outcome" | "signature" | "events" | "baseline";
  readonly journal: string | null;
  readonly replay: string | null;
}

export interface EntryDifference {
  /** Entries are the same up to this index. */
  readonly from: number;
  /** They differ before this one. */
  readonly before: number;
  /** What the replay did first in this stretch; null: it had ended, or its world kept no entries. */
  readonly entry: TraceEntry | null;
  readonly hasEnded: boolean;
}

/** Runs the plan of a journal again and compares. @throws E_WORLD */
export async function replay(journal: Journal, options: ReplayOptions): Promise<Replay> {
  const { world, judge, signal } = options;
  let trace: Trace | null = null;
  const traced: TracingWorld = {
    name: world.name,
    refusals: (plan) => world.refusals(plan),
    run: (plan, how) => {
      const isBaseline = plan.faults.length === 0 && journal.plan.faults.length > 0;
      if (isBaseline) return world.run(plan, how);
      return world.run(plan, { ...how, onTrace: (all) => (trace = all) });
    },
  };
  const run = await createTrial({ world: traced, judge })(journal.plan, signal);
  const differences = differencesOf(journal, run);
  const firstEvent =
    world.name === journal.record.world
      ? firstEventDifference(journal.record.events, run.record.events)
      : null;
  const all: readonly ReplayDifference[] =
    firstEvent === null || differences.some(({ what }) => what === "trace hash")
      ? differences
      : [
          ...differences,
          { what: "events", journal: shown(firstEvent.one), replay: shown(firstEvent.other) },
        ];
  const firstEntry = all.length === 0 ? null : await entryDifference(journal, trace, options);
  return { run, differences: all, firstEvent, firstEntry, notes: notesOf(journal, run) };
}

/** The difference in one sentence: what differs, and where it began. */
export function describeReplay({ differences, firstEvent, firstEntry }: Replay): string {
  const what = differences
    // The event is named below, with its place.
    .filter((one) => one.what !== "events")
    .map((one) => `${one.what} ${one.journal ?? "none"} became ${one.replay ?? "none"}`);
  const event = firstEvent === null ? [] : [eventSentence(firstEvent)];
  if (firstEntry === null) return [...what, ...event].join("; ");
  const { from, before, entry, hasEnded } = firstEntry;
  const at = entry === null ? "" : `, at ${entry.timeUs} µs, ${entry.name}`;
  const end = hasEnded ? ", where the replay had ended" : at;
  const traces = `the traces part between entries ${from} and ${before}${end}`;
  return [...what, ...event, traces].join("; ");
}

function eventSentence({ index, one, other }: EventDifference): string {
  const number = `event ${index + 1}`;
  const [before, now] = [shown(one), shown(other)];
  if (before !== now) return `${number} was ${before} and is ${now}`;
  const fields = Object.keys({ ...one, ...other }).filter(
    (name) => fieldText(one, name) !== fieldText(other, name),
  );
  return `${number}, ${before}, has another ${fields.join(" and ")}`;
}

function differencesOf(journal: Journal, run: JudgedRun): readonly ReplayDifference[] {
  const rows: (readonly [ReplayDifference["what"], string | null, string | null])[] = [
    ["state digest", journal.record.stateDigest, run.record.stateDigest],
    ["outcome", journal.judgement.outcome, run.judgement.outcome],
    ["signature", journal.judgement.signature, run.judgement.signature],
  ];
  const { traceHash } = journal.record;
  if (traceHash !== null) rows.unshift(["trace hash", traceHash, run.record.traceHash]);
  if (journal.baseline !== null) {
    rows.push(["baseline", journal.baseline.stateDigest, run.baseline?.stateDigest ?? null]);
  }
  return rows
    .filter(([, before, now]) => before !== now)
    .map(([what, before, now]) => ({ what, journal: before, replay: now }));
}

/** The marks of both traces narrow it down; the run made again shows what happened there. */
async function entryDifference(
  journal: Journal,
  trace: Trace | null,
  { world, signal }: ReplayOptions,
): Promise<EntryDifference | null> {
  if (journal.trace === null || trace === null) return null;
  const comparison = compareTraces({ ...journal.trace, window: [] }, trace);
  if (comparison.same) return null;
  const { from, before } = comparison;
  let entry: TraceEntry | null = null;
  await world.run(journal.plan, {
    signal,
    traceWindow: { from, entries: 1 },
    onTrace: ({ window }) => (entry = window[0] ?? null),
  });
  return { from, before, entry, hasEnded: trace.entries <= from };
}

function notesOf({ tool, record }: Journal, run: JudgedRun): readonly string[] {
  const notes: string[] = [];
  const { node } = process.versions;
  if (tool.tessera !== version) {
    notes.push(`written by Tessera ${tool.tessera}, replayed by ${version}`);
  }
  if (tool.node !== node) notes.push(`written on Node ${tool.node}, replayed on ${node}`);
  if (record.world !== run.record.world) {
    notes.push(
      `it happened in the world ${record.world} and was replayed in ${run.record.world}: only the state, the outcome and the signature were compared`,
    );
  } else if (record.traceHash === null) notes.push("it has no trace hash to compare");
  return notes;
}

function shown(event: JobEvent | null): string {
  if (event === null) return "the end";
  const { atUs, kind } = event;
  const step = "step" in event ? ` ${event.step}` : "";
  return `${kind}${step} at ${atUs} µs`;
}

function fieldText(event: JobEvent | null, name: string): string {
  return canonicalJson(event?.[name as keyof JobEvent] ?? null);
}
