import assert from "node:assert/strict";
import { type Chance, createChance } from "../../chance/index.ts";
import { EventQueue, pendingMax } from "./event-queue.ts";
import type { EventHandler, EventId, EventKind, RunEnd, SimEngine } from "./sim-engine.ts";
import { namesMax, type Trace, TraceRecorder, type TraceWindow } from "./trace.ts";

export interface EngineOptions {
  readonly seed: string;
  /** Entries of the trace to keep in full. @default none */
  readonly window?: TraceWindow;
  readonly limits?: {
    /** Events that wait at once; more are a leak. @default 4,194,304, the most there can be */
    readonly pending?: number;
    /** Events in one microsecond; more are an endless loop that takes no time. @default 4,194,304 */
    readonly instant?: number;
  };
}

const instantMaxDefault = 2 ** 22;
/** What a registered kind is there for; 0: of no registered kind. */
const awaited = 1;
const watchdog = 2;

/** Time that begins at 0, with nothing waiting. */
export function createEngine(options: EngineOptions): SimEngine {
  return new WheelEngine(options);
}

class WheelEngine implements SimEngine {
  readonly chance: Chance;
  nowUs = 0;
  processed = 0;
  readonly #queue: EventQueue;
  readonly #instantMax: number;
  readonly #recorder: TraceRecorder;
  readonly #handlers: EventHandler[] = [];
  /** By kind: whether somebody waits for it, or it only watches. */
  readonly #purposes = new Uint8Array(namesMax);
  readonly #kindNames = new Set<string>();
  readonly #notes = new Map<string, number>();
  /** Events that wait and are no watchdogs. */
  #awaited = 0;
  #instantEvents = 0;
  #isRunning = false;
  #isPaused = false;

  constructor({ seed, window, limits = {} }: EngineOptions) {
    this.#queue = new EventQueue(limits.pending ?? pendingMax);
    this.#instantMax = limits.instant ?? instantMaxDefault;
    this.chance = createChance(seed);
    this.#recorder = new TraceRecorder(window);
  }

  get pending(): number {
    return this.#queue.pending;
  }

  kind(name: string, handler: EventHandler, options: { isWatchdog?: boolean } = {}): EventKind {
    assert(!this.#kindNames.has(name), `events of the kind ${name} are registered once`);
    this.#kindNames.add(name);
    const kind = this.#recorder.name(name);
    this.#handlers[kind] = handler;
    this.#purposes[kind] = options.isWatchdog === true ? watchdog : awaited;
    return kind as EventKind;
  }

  at(timeUs: number, kind: EventKind, a = 0, b = 0): EventId {
    // Conditions of what happens a million times a second are written out: a call of assert costs more than
    // the event.
    if (!(timeUs >= this.nowUs && Number.isSafeInteger(timeUs))) {
      assert.fail("an event happens at a whole microsecond, now or later");
    }
    if ((a | 0) !== a || (b | 0) !== b) assert.fail("an event carries whole numbers of 32 bits");
    const purpose = this.#purposes[kind];
    if (purpose === awaited) this.#awaited++;
    else if (purpose !== watchdog) assert.fail("an event is of a registered kind");
    return this.#queue.push(timeUs, kind, a, b) as EventId;
  }

  after(delayUs: number, kind: EventKind, a = 0, b = 0): EventId {
    return this.at(this.nowUs + delayUs, kind, a, b);
  }

  cancel(id: EventId): boolean {
    const kind = this.#queue.cancel(id);
    if (kind < 0) return false;
    if (this.#purposes[kind] === awaited) this.#awaited--;
    return true;
  }

  note(name: string, a = 0, b = 0): void {
    if ((a | 0) !== a || (b | 0) !== b) assert.fail("a note carries whole numbers of 32 bits");
    let number = this.#notes.get(name);
    if (number === undefined) {
      number = this.#recorder.name(name);
      this.#notes.set(name, number);
    }
    this.#recorder.add(this.nowUs, number, a, b);
  }

  run(untilUs: number): RunEnd {
    assert(!this.#isRunning, "time goes on once, not from within a handler");
    assert(untilUs >= this.nowUs, "time goes forward");
    this.#isRunning = true;
    this.#isPaused = false;
    try {
      while (this.#awaited > 0) {
        if (!this.#queue.take(untilUs)) {
          this.nowUs = untilUs;
          return "limit";
        }
        this.#happen();
        if (this.#isPaused) return "paused";
      }
      return "quiet";
    } finally {
      this.#isRunning = false;
    }
  }

  wake(untilUs: number): boolean {
    assert(!this.#isRunning, "time goes on once, not from within a handler");
    if (!this.#queue.take(untilUs)) return false;
    this.#isRunning = true;
    try {
      this.#happen();
      return true;
    } finally {
      this.#isRunning = false;
    }
  }

  pause(): void {
    this.#isPaused = true;
  }

  traceHash(): string {
    return this.#recorder.hash();
  }

  trace(): Trace {
    return this.#recorder.trace();
  }

  /** Lets the event happen that was taken. */
  #happen(): void {
    const { timeUs, kind, a, b } = this.#queue;
    if (this.#purposes[kind] === awaited) this.#awaited--;
    this.#instantEvents = timeUs === this.nowUs ? this.#instantEvents + 1 : 0;
    if (this.#instantEvents >= this.#instantMax) assert.fail("time goes on after a while");
    this.nowUs = timeUs;
    this.processed++;
    this.#recorder.add(timeUs, kind, a, b);
    (this.#handlers[kind] as EventHandler)(a, b);
  }
}
