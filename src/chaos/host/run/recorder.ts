import type { Clock } from "../../../platform/time/index.ts";
import type { WithoutTime } from "../../elastic/index.ts";
import type { JobEvent } from "../../record/index.ts";

/** More events are a loop without end. */
const eventsMax = 5_000_000;

/** What happened, on one clock that never goes back; zero is the start of the workload. */
export class Recorder {
  readonly #clock: Clock;
  readonly #onEvent: (event: JobEvent) => void;
  readonly #startMs: number;
  readonly #events: JobEvent[] = [];
  /** By tag: what rank 0 held when it was saved, and when it was loaded. */
  readonly #saved = new Map<string, string>();
  readonly #loaded = new Map<string, string>();

  constructor(clock: Clock, onEvent: (event: JobEvent) => void) {
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#startMs = clock.monotonicMs();
  }

  get events(): readonly JobEvent[] {
    return this.#events;
  }

  nowUs(): number {
    return Math.round((this.#clock.monotonicMs() - this.#startMs) * 1000);
  }

  msUntil(atUs: number): number {
    return Math.max(0, (atUs - this.nowUs()) / 1000);
  }

  checkpoint(what: "saved" | "loaded", tag: string, digest: string): void {
    (what === "saved" ? this.#saved : this.#loaded).set(tag, digest);
  }

  record(event: WithoutTime<JobEvent>): JobEvent | undefined {
    if (this.#events.length >= eventsMax) return undefined;
    const full = { ...this.#completed(event), atUs: this.nowUs() } as JobEvent;
    this.#events.push(full);
    this.#onEvent(full);
    return full;
  }

  /** Whether what was loaded is what was saved is known here, not to the job. */
  #completed(event: WithoutTime<JobEvent>): WithoutTime<JobEvent> {
    if (event.kind !== "restore" || event.phase !== "done" || event.tag === null) return event;
    const [saved, loaded] = [this.#saved.get(event.tag), this.#loaded.get(event.tag)];
    if (saved === undefined || loaded === undefined) return event;
    const sameAsSaved = saved === loaded;
    return { ...event, sameAsSaved, ...(sameAsSaved ? {} : { falseAccept: true }) };
  }
}
