import type { WithoutTime } from "../../elastic/index.ts";
import type { JobEvent } from "../../record/index.ts";
import type { SimEngine } from "../engine/index.ts";

export interface RecorderOptions {
  readonly engine: SimEngine;
  readonly onEvent?: ((event: JobEvent) => void) | undefined;
}

/** A run that records more is a loop. Months of large jobs stay far below. */
const eventsMax = 2 ** 22;

/** Writes down what happens, in order, on the engine's clock; all of it enters the trace. */
export class EventRecorder {
  readonly events: JobEvent[] = [];
  /** The event that ended the job. */
  end: "finished" | "gave-up" | null = null;
  isFull = false;
  readonly #engine: SimEngine;
  readonly #onEvent: ((event: JobEvent) => void) | undefined;
  readonly #marks = new Set<string>();

  constructor({ engine, onEvent }: RecorderOptions) {
    this.#engine = engine;
    this.#onEvent = onEvent;
  }

  record(event: WithoutTime<JobEvent>): void {
    if (this.events.length >= eventsMax) {
      this.isFull = true;
      return;
    }
    const timed = { atUs: this.#engine.nowUs, ...event } as JobEvent;
    this.events.push(timed);
    const number = "step" in event ? event.step : "rank" in event ? event.rank : 0;
    this.#engine.note(`job.${event.kind}`, number | 0);
    if (event.kind === "finish") this.#ended("finished");
    if (event.kind === "give-up") this.#ended("gave-up");
    this.#onEvent?.(timed);
  }

  /** Something rare that a campaign should sometimes see; once a run. */
  mark(mark: string): void {
    if (this.#marks.has(mark)) return;
    this.#marks.add(mark);
    this.record({ kind: "sometimes", mark });
  }

  #ended(how: "finished" | "gave-up"): void {
    this.end = how;
    this.#engine.pause();
  }
}
