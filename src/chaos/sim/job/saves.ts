import type { StateRef } from "../../numerics/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { WriteHandle } from "../storage/index.ts";
import type { Crew } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";
import { stateOf } from "./step-values.ts";
import type { TriggerBoard } from "./trigger-board.ts";

/** A save of a crew: who has written what. */
interface SaveSession {
  readonly index: number;
  readonly crew: Crew;
  readonly tag: string;
  readonly step: number;
  /** Parts that rank 0 knows to be written, also from before it began its own. */
  readonly written: Set<number>;
  /** By rank: why it could not write its part. */
  readonly failures: Map<number, string>;
  /** The first of them that rank 0 was told of. */
  refusal: string | null;
  /** What rank 0 saves. */
  state: StateRef | undefined;
}

/** What one process has under way of it. */
interface OwnWrite {
  readonly session: SaveSession;
  readonly write: WriteHandle;
}

const newsBytes = 64;
const sessionsMax = 8;

/**
 * Saves: every rank writes its shard, says so to rank 0, and rank 0 commits. What is written is the state of
 * when it began, also while the job trains on.
 */
export class Saves {
  /** By tag: what the first replica held when it was saved, to compare with what is loaded. */
  readonly truth = new Map<string, StateRef>();
  readonly #context: JobContext;
  readonly #triggers: TriggerBoard;
  readonly #processAt: (index: number) => SimProcess | undefined;
  readonly #sessions = new Map<number, SaveSession>();
  readonly #own = new Map<SimProcess, OwnWrite>();
  readonly #usualUs: number;
  readonly #written: EventKind;
  readonly #told: EventKind;
  readonly #committed: EventKind;
  readonly #late: EventKind;
  #made = 0;

  constructor(
    context: JobContext,
    options: {
      readonly triggers: TriggerBoard;
      readonly processAt: (index: number) => SimProcess | undefined;
    },
  ) {
    const { engine, workload } = context;
    this.#context = context;
    this.#triggers = options.triggers;
    this.#processAt = options.processAt;
    this.#usualUs = workload.pace.saveUs * (1 + workload.pace.jitter);
    this.#written = engine.kind("save.written", (index, token) => this.#onWritten(index, token));
    this.#told = engine.kind("save.told", (index, rank) => this.#onTold(index, rank));
    this.#committed = engine.kind("save.committed", (index, token) => {
      this.#onCommitted(index, token);
    });
    this.#late = engine.kind("save.late", (index, token) => this.#onLate(index, token), {
      isWatchdog: true,
    });
  }

  begin(process: SimProcess, tag: string): void {
    const { crew, rank, slot } = process;
    if (crew === null) return;
    const { engine, storage, bytes, plan, effects } = this.#context;
    const session = this.#sessionOf(crew, tag, process.worker.step);
    const state = stateOf(crew, rank);
    const size = Math.ceil(bytes.state / crew.members.length);
    process.saveToken++;
    const { write, durationUs } = storage.startWrite({
      tag,
      shard: rank,
      state,
      bytes: size,
      slot,
    });
    this.#own.set(process, { session, write });
    if (durationUs > this.#usualUs + 1) {
      effects.saw("store-time", slot, `rank ${rank} writes for ${durationUs} us`);
    }
    if (rank === 0) session.state = state;
    engine.after(durationUs, this.#written, process.index, process.saveToken);
    engine.after(plan.timeouts.saveUs, this.#late, process.index, process.saveToken);
    this.#triggers.writes(slot, durationUs);
  }

  /** What it writes stays in part. */
  cancel(process: SimProcess): void {
    process.saveToken++;
    const own = this.#own.get(process);
    if (own === undefined) return;
    this.#own.delete(process);
    if (process.isAlive) this.#context.storage.abandonWrite(own.write);
  }

  /** Whether a save is under way that has not come to an end. */
  get isUnderWay(): boolean {
    return this.#own.size > 0;
  }

  #sessionOf(crew: Crew, tag: string, step: number): SaveSession {
    for (const session of this.#sessions.values()) {
      if (session.crew === crew && session.tag === tag) return session;
    }
    this.#triggers.saveBegins();
    this.#context.storage.open(tag, step, crew.members.length);
    const index = this.#made++ | 0;
    const session: SaveSession = {
      index,
      crew,
      tag,
      step,
      written: new Set(),
      failures: new Map(),
      refusal: null,
      state: undefined,
    };
    this.#sessions.set(index, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > sessionsMax && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  #onWritten(index: number, token: number): void {
    const process = this.#processAt(index);
    if (process === undefined || process.saveToken !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onWritten(index, token));
      return;
    }
    const own = this.#own.get(process);
    if (own === undefined) return;
    const { session } = own;
    const { rank, slot } = process;
    const end = this.#context.storage.finishWrite(own.write);
    if (end !== "written") {
      const reason = end === "full" ? "no room is left" : "another save took its place";
      if (end === "full") {
        this.#context.effects.saw("store-room", slot, `rank ${rank} found no room for its shard`);
      }
      this.#fail(process, session, reason);
      return;
    }
    // Rank 0 goes on to the commit; the others have done their part.
    if (rank === 0) {
      session.written.add(0);
      this.#commitOrFail(session);
      return;
    }
    this.#end(process);
    this.#tellFirst(process, session);
    process.worker.saved(session.tag, session.step);
  }

  #tellFirst(process: SimProcess, session: SaveSession): void {
    const first = session.crew.members[0];
    if (first === undefined) return;
    const { network } = this.#context;
    network.send(process.slot, first.slot, newsBytes, this.#told, session.index, process.rank);
  }

  /** Rank 0 hears that a rank has written its shard, or could not. */
  #onTold(index: number, rank: number): void {
    const session = this.#sessions.get(index);
    const first = session?.crew.members[0];
    if (session === undefined || first === undefined) return;
    if (first.isFrozen) {
      first.putOff(() => this.#onTold(index, rank));
      return;
    }
    const failure = session.failures.get(rank);
    if (failure === undefined) session.written.add(rank);
    else session.refusal ??= failure;
    // It may still be at the save before: what it was told is kept until it has written its own part.
    if (this.#own.get(first)?.session === session) this.#commitOrFail(session);
  }

  #commitOrFail(session: SaveSession): void {
    const { crew, tag, written, refusal } = session;
    const first = crew.members[0];
    if (first === undefined) return;
    if (refusal !== null) {
      this.#fail(first, session, refusal);
      return;
    }
    if (written.size < crew.members.length) return;
    const { storage, engine } = this.#context;
    const { durationUs } = storage.startCommit(tag, first.slot);
    engine.after(durationUs, this.#committed, first.index, first.saveToken);
    this.#triggers.commits(first.slot);
  }

  #onCommitted(index: number, token: number): void {
    const process = this.#processAt(index);
    if (process === undefined || process.saveToken !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onCommitted(index, token));
      return;
    }
    const session = this.#own.get(process)?.session;
    if (session === undefined) return;
    const { storage, effects, workload } = this.#context;
    if (!storage.finishCommit(session.tag)) {
      this.#fail(process, session, "a shard is missing");
      return;
    }
    if (session.state !== undefined) this.truth.set(session.tag, session.state);
    const damaged = storage.truthOf(session.tag)?.damaged ?? [];
    if (damaged.length > 0) {
      const sentence = `shard ${damaged[0]} of ${session.tag} is not what was handed in`;
      effects.saw("store-content", 0, sentence);
    }
    for (const { tag } of storage.list().slice(Math.max(1, workload.checkpoint.keep))) {
      storage.remove(tag);
      this.truth.delete(tag);
    }
    this.#end(process);
    process.worker.saved(session.tag, session.step);
  }

  #onLate(index: number, token: number): void {
    const process = this.#processAt(index);
    if (process === undefined || process.saveToken !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onLate(index, token));
      return;
    }
    const own = this.#own.get(process);
    if (own === undefined) return;
    this.#context.storage.abandonWrite(own.write);
    this.#fail(process, own.session, "it took too long");
  }

  #fail(process: SimProcess, session: SaveSession, reason: string): void {
    this.#end(process);
    session.failures.set(process.rank, reason);
    if (process.rank !== 0) this.#tellFirst(process, session);
    process.worker.saveFailed(session.tag, session.step, reason);
  }

  #end(process: SimProcess): void {
    process.saveToken++;
    this.#own.delete(process);
  }
}
