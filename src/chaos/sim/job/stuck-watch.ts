import type { JobEvent } from "../../record/index.ts";
import { diagnoseWaits, findLivelocks, type RankWait, type StuckSet } from "../../waits/index.ts";
import type { Crew } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

const dtype = "f32";
const stuckMax = 256;

/** Looks at who waits for whom when nobody gets on, once in each generation. */
export class StuckWatch {
  readonly #context: JobContext;
  readonly #seen = new Set<number>();

  constructor(context: JobContext) {
    this.#context = context;
  }

  /**
   * Ranks that wait for somebody gone or hung are a hang, which timeouts end; ranks that wait for each other
   * are a deadlock, whatever the timeouts do.
   */
  look(crew: Crew | null, isFinal = false): void {
    if (crew === null || this.#seen.size >= stuckMax) return;
    if (!isFinal && this.#seen.has(crew.generation)) return;
    const { recorder } = this.#context;
    for (const { cause, ranks, reason } of together(diagnoseWaits(waitsOf(crew)).stuck)) {
      this.#seen.add(crew.generation);
      const form = isFinal || isMutual(cause) ? "deadlock" : "hang";
      recorder.record({ kind: "stuck", form, cause, ranks, reason });
    }
  }
}

/** Ranks that are stuck for the same cause, as one finding with the first sentence. */
function together(sets: readonly StuckSet[]): readonly StuckSet[] {
  const byCause = new Map<string, StuckSet>();
  for (const one of sets) {
    const known = byCause.get(one.cause);
    const ranks = [...(known?.ranks ?? []), ...one.ranks].toSorted((a, b) => a - b);
    byCause.set(one.cause, { ...(known ?? one), ranks });
  }
  return [...byCause.values()];
}

function isMutual(cause: StuckSet["cause"]): boolean {
  return cause !== "missing rank" && cause !== "outside a collective";
}

/** What each rank of a crew is in, in the words of wait-for graphs. */
function waitsOf(crew: Crew): readonly RankWait[] {
  return crew.members.map((process): RankWait => waitOf(crew, process));
}

function waitOf(crew: Crew, process: SimProcess | undefined): RankWait {
  if (process === undefined || process.crew !== crew) return { kind: "gone" };
  if (process.isFrozen) return { kind: "gone" };
  if (process.isOwed) return { kind: "outside", what: "device", comes: false };
  const { wait } = process;
  if (wait === null) return { kind: "running" };
  if (!("entered" in wait)) {
    // It was sent and has not come: no rank is waited for, but what got lost between them.
    if (wait.sent > wait.taken) return { kind: "outside", what: "data", comes: false };
    return { kind: "receive", peer: wait.from, bytes: wait.bytes, dtype };
  }
  // Everybody is in it: what is missing are its messages.
  if (wait.here === wait.ranks.length) return { kind: "outside", what: "data", comes: false };
  const sequence = wait.sequence + 1;
  const { ranks, axis, bytes } = wait;
  return { kind: "collective", group: ranks, sequence, op: axis, bytes, dtype };
}

/** Stretches in which the job was busy without getting on, put where they were certain. */
export function withLivelocks(events: readonly JobEvent[]): readonly JobEvent[] {
  const found = findLivelocks(events).map(
    ({ atUs, reason }): JobEvent => ({
      atUs,
      kind: "stuck",
      form: "livelock",
      cause: null,
      ranks: [],
      reason,
    }),
  );
  if (found.length === 0) return events;
  return [...events, ...found].toSorted((one, other) => one.atUs - other.atUs);
}
