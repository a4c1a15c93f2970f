import type { StateRef } from "../../numerics/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { Crew } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import type { Saves } from "./saves.ts";
import type { SimProcess } from "./sim-process.ts";
import type { TriggerBoard } from "./trigger-board.ts";

/** What was loaded last, as the world knows it. */
export interface LoadedTruth {
  readonly tag: string;
  /** It was not whole, and was taken all the same. */
  readonly falseAccept: boolean;
  readonly sameAsSaved: boolean;
}

export interface RestoreParts {
  readonly saves: Saves;
  readonly triggers: TriggerBoard;
  readonly processAt: (index: number) => SimProcess | undefined;
  /** A process that gets no memory for what it is to load. */
  readonly outOfMemory: (process: SimProcess) => void;
}

/** Large enough for segments of its own: what is left of them is nothing. */
const segmentBytes = 20 * 2 ** 20;

/** Restores: every rank reads its share of the shards, verifies it, and loads or refuses. */
export class Restores {
  loaded: LoadedTruth | null = null;
  readonly #context: JobContext;
  readonly #parts: RestoreParts;
  readonly #usualUs: number;
  readonly #isCareless: boolean;
  readonly #isOffByOne: boolean;
  readonly #read: EventKind;
  /** By crew: what it loads; null: the first state of the job. */
  readonly #loading = new Map<Crew, { readonly tag: string | null; state: StateRef | undefined }>();

  constructor(context: JobContext, parts: RestoreParts) {
    const { engine, plan, workload } = context;
    this.#context = context;
    this.#parts = parts;
    this.#usualUs = workload.pace.loadUs * (1 + workload.pace.jitter);
    this.#isCareless = plan.defects.includes("acceptTornCheckpoint");
    this.#isOffByOne = plan.defects.includes("cursorOffByOne");
    this.#read = engine.kind("restore.read", (index, token) => this.#onRead(index, token));
  }

  begin(process: SimProcess, crew: Crew, tag: string | null): void {
    const { storage, engine, effects } = this.#context;
    const { triggers } = this.#parts;
    if (!this.#loading.has(crew)) {
      this.#loading.clear();
      this.#loading.set(crew, { tag, state: undefined });
      if (tag !== null || crew.generation > 1) triggers.restoreBegins();
    }
    process.token++;
    if (!this.#hasRoom(process, crew)) {
      this.#parts.outOfMemory(process);
      return;
    }
    const us = tag === null ? 1 : storage.readUs(process.slot);
    if (tag !== null && us > this.#usualUs + 1) {
      effects.saw("store-time", process.slot, `rank ${process.rank} reads for ${us} us`);
    }
    engine.after(us, this.#read, process.index, process.token);
    if (tag !== null || crew.generation > 1) triggers.reads(process.slot, us);
  }

  /** A process keeps what it once got for the state. */
  #hasRoom(process: SimProcess, { shape }: Crew): boolean {
    if (process.holdsMemory) return true;
    const { machines, bytes } = this.#context;
    const segments = Math.ceil(bytes.state / (shape.tp * shape.pp) / segmentBytes);
    const wanted = Math.max(1, segments) * segmentBytes;
    process.holdsMemory = machines.memoryOf(process.slot).allocate(wanted) !== undefined;
    return process.holdsMemory;
  }

  #onRead(index: number, token: number): void {
    const process = this.#parts.processAt(index);
    if (process === undefined || process.token !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onRead(index, token));
      return;
    }
    const { crew } = process;
    const loading = crew === null ? undefined : this.#loading.get(crew);
    if (crew === null || loading === undefined) return;
    const { tag } = loading;
    const refusal = tag === null || this.#isCareless ? null : this.#refusal(process, crew, tag);
    if (tag !== null && refusal !== null) {
      this.#context.effects.saw("store-content", 0, refusal);
      process.worker.refused(tag, refusal);
      return;
    }
    loading.state ??= this.#load(tag);
    const state = loading.state;
    const { numerics } = this.#context;
    const replica = crew.replicaOf(process.rank);
    crew.states[replica] = state;
    crew.step = numerics.stepsDone(state);
    process.worker.restored(crew.step, () =>
      numerics.digest(crew.states[replica] ?? numerics.first),
    );
  }

  /** What a rank that verifies its share of the shards finds wrong; null: nothing. */
  #refusal({ rank }: SimProcess, crew: Crew, tag: string): string | null {
    const { storage } = this.#context;
    const shards = storage.contentOf(tag).length;
    if (shards === 0) return "it is not there";
    for (let shard = rank; shard < shards; shard += crew.members.length) {
      const verdict = storage.verify(tag, shard);
      if (verdict !== "whole") return `shard ${shard} is ${verdict}`;
    }
    // A shard that never came to be counts for nothing above.
    const first = rank === 0 ? storage.refusalOf(tag) : undefined;
    return first?.verdict === "missing" ? `shard ${first.shard} is missing` : null;
  }

  /** What its readers have then, and whether that is what was saved. */
  #load(tag: string | null): StateRef {
    const { storage, numerics } = this.#context;
    if (tag === null) {
      this.loaded = null;
      return numerics.first;
    }
    const truth = storage.truthOf(tag);
    const contents = storage.contentOf(tag);
    const saved = this.#parts.saves.truth.get(tag);
    let state = this.#assembled(tag, contents);
    if (this.#isOffByOne) state = numerics.cursorMoved(state, 1);
    const sameAsSaved =
      saved !== undefined && (saved === state || numerics.digest(saved) === numerics.digest(state));
    this.loaded = { tag, falseAccept: truth?.isWhole !== true, sameAsSaved };
    return state;
  }

  /** Shards of several states, and those that are torn, give a state that nobody ever had. */
  #assembled(
    tag: string,
    contents: readonly { readonly state: StateRef; readonly verdict: string }[],
  ): StateRef {
    const { numerics } = this.#context;
    const of = contents.length;
    let state = contents[0]?.state ?? numerics.first;
    const others = new Map<StateRef, number>();
    for (const one of contents) {
      if (one.state !== state) others.set(one.state, (others.get(one.state) ?? 0) + 1);
    }
    for (const [other, torn] of others) state = numerics.mixed(state, other, { of, torn });
    const torn = contents.filter(({ verdict }) => verdict !== "whole").length;
    return torn === 0 ? state : numerics.mixed(state, this.#before(tag), { of, torn });
  }

  /** What lies in the same files from the time before. */
  #before(tag: string): StateRef {
    const { storage, numerics } = this.#context;
    const own = storage.list().findIndex((one) => one.tag === tag);
    const older = storage.list()[own + 1];
    const state = older === undefined ? undefined : storage.contentOf(older.tag)[0]?.state;
    return state ?? numerics.first;
  }
}
