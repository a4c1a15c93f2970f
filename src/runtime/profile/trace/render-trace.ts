import { type Provenance, provenances } from "../../../platform/words.ts";
import type { Mark, SessionLog } from "../session-log.ts";
import { assignLanes } from "./lanes.ts";
import { type Slice, slicesOf, toNs } from "./timeline.ts";

type TraceEvent = Readonly<Record<string, unknown>>;

/** Each kind of time is a process of its own, so that a viewer cannot mix them. */
const processNames: Readonly<Record<Provenance, string>> = {
  measured: "measured (this host's clock)",
  modelled: "modelled (virtual time)",
  simulated: "simulated (virtual time)",
};

/**
 * The session in the Trace Event Format. Complete events with times in microseconds; thread ids are
 * unique over all processes, because viewers may look a thread up by its id alone.
 */
export function renderChromeTrace(log: SessionLog): string {
  const slices = slicesOf(log);
  const traceEvents = provenances.flatMap((source, at) =>
    processEvents({
      pid: at + 1,
      source,
      slices: slices.filter((slice) => slice.source === source),
      marks: log.marks,
    }),
  );
  return JSON.stringify({
    traceEvents,
    displayTimeUnit: "ns",
    otherData: { schema: "tessera.trace.v1", dropped: log.dropped },
  });
}

interface Process {
  readonly pid: number;
  readonly source: Provenance;
  readonly slices: readonly Slice[];
  readonly marks: readonly Mark[];
}

function processEvents({ pid, source, slices, marks }: Process): TraceEvent[] {
  // Marks are moments of this host; on a virtual timeline they only help beside operations.
  if (slices.length === 0 && (source !== "measured" || marks.length === 0)) return [];
  const threads = threadsOf(slices);
  const firstTid = pid * 1_000_000 + 1;
  return [
    metadata("process_name", { pid }, { name: processNames[source] }),
    metadata("process_sort_index", { pid }, { sort_index: pid }),
    ...threads.flatMap(({ name }, at) => [
      metadata("thread_name", { pid, tid: firstTid + at }, { name }),
      metadata("thread_sort_index", { pid, tid: firstTid + at }, { sort_index: at }),
    ]),
    ...threads.flatMap((thread, at) =>
      thread.slices.map((slice) => complete(slice, { pid, tid: firstTid + at })),
    ),
    ...marks.map(({ name, at }) => ({
      name,
      ph: "i",
      s: "p",
      cat: "mark",
      ts: toNs(at[source]) / 1000,
      pid,
      tid: firstTid,
    })),
  ];
}

interface Thread {
  readonly name: string;
  readonly slices: Slice[];
}

/** One thread for each row of the timeline and each lane of it, in order of first appearance. */
function threadsOf(slices: readonly Slice[]): readonly Thread[] {
  const rows = new Map<string, Slice[]>();
  for (const slice of slices) {
    const row = rows.get(slice.thread);
    if (row === undefined) rows.set(slice.thread, [slice]);
    else row.push(slice);
  }
  return [...rows].flatMap(([name, row]) => {
    const lanes = assignLanes(row);
    const threads: Thread[] = [];
    for (const [at, slice] of row.entries()) {
      const lane = lanes[at] ?? 0;
      while (threads.length <= lane) {
        const number = threads.length + 1;
        threads.push({ name: number === 1 ? name : `${name} #${number}`, slices: [] });
      }
      threads[lane]?.slices.push(slice);
    }
    for (const thread of threads) thread.slices.sort(byStartThenLength);
    return threads;
  });
}

/** Outer slices before the ones inside them. */
function byStartThenLength(a: Slice, b: Slice): number {
  return a.startNs - b.startNs || b.endNs - a.endNs;
}

function complete(slice: Slice, where: { pid: number; tid: number }): TraceEvent {
  return {
    name: slice.name,
    cat: slice.category,
    ph: "X",
    ts: slice.startNs / 1000,
    dur: (slice.endNs - slice.startNs) / 1000,
    ...where,
    args: slice.args,
  };
}

function metadata(
  name: string,
  where: { pid: number; tid?: number },
  args: Readonly<Record<string, unknown>>,
): TraceEvent {
  return { name, ph: "M", ...where, args };
}
