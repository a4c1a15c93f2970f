import type { WithoutTime } from "../elastic/index.ts";
import type { JobEvent } from "../record/index.ts";
import type { ProgressLine } from "./progress-line.ts";

/** More than this in one run is a program that does nothing but tell. */
const eventsMax = 2_000_000;
/** Checkpoints whose digests are remembered; older ones are hardly ever loaded. */
const savedMax = 10_000;

/** Turns what a program says into the events of a run. Times come from whoever read the line. */
export class ProgressBook {
  readonly #onEvent: (event: JobEvent) => void;
  readonly #events: JobEvent[] = [];
  /** The steps that stay as it looks now, in their order. */
  readonly #kept: { readonly step: number; readonly units: number }[] = [];
  readonly #savedDigests = new Map<string, string>();
  #digest: string | null = null;
  #lostEvents = 0;

  constructor(onEvent: (event: JobEvent) => void) {
    this.#onEvent = onEvent;
  }

  get events(): readonly JobEvent[] {
    return this.#events;
  }

  /** Of the newest state that the program told of; null: it told of none. */
  get digest(): string | null {
    return this.#digest;
  }

  /** Units of all steps that were not taken back. */
  get units(): number {
    return this.#kept.reduce((sum, { units }) => sum + units, 0);
  }

  /** The last step that was done and not taken back; 0: none. */
  get step(): number {
    return this.#kept.at(-1)?.step ?? 0;
  }

  /** Events that came after the book was full. */
  get lostEvents(): number {
    return this.#lostEvents;
  }

  take(line: ProgressLine, atUs: number): void {
    const { restore, step, checkpoint, finish } = line;
    if (restore !== undefined) this.#takeRestore(restore, atUs);
    if (step !== undefined) this.#takeStep({ ...line, step }, atUs);
    if (checkpoint !== undefined) this.#takeCheckpoint(checkpoint, atUs);
    if (finish?.digest !== undefined) this.#digest = finish.digest;
  }

  put(event: WithoutTime<JobEvent>, atUs: number): void {
    if (this.#events.length >= eventsMax) {
      this.#lostEvents++;
      return;
    }
    const timed = { ...event, atUs } as JobEvent;
    this.#events.push(timed);
    this.#onEvent(timed);
  }

  #takeStep(line: ProgressLine & { readonly step: number }, atUs: number): void {
    const { step, units = 1, samples, loss, digest } = line;
    // Done again: its earlier self and all that followed were lost with a worker.
    this.#takeBack(step - 1);
    this.#kept.push({ step, units });
    this.#digest = digest ?? null;
    const more = {
      ...(samples === undefined ? {} : { samples }),
      ...(loss === undefined ? {} : { loss }),
    };
    this.put({ kind: "step", generation: 1, step, units, ...more }, atUs);
  }

  #takeCheckpoint(given: NonNullable<ProgressLine["checkpoint"]>, atUs: number): void {
    const { tag, step, phase, reason, digest } = given;
    if (phase === "committed" && digest !== undefined && this.#savedDigests.size < savedMax) {
      this.#savedDigests.set(tag, digest);
    }
    const why = reason === undefined ? {} : { reason };
    this.put({ kind: "save", phase, tag, step, ...why }, atUs);
  }

  #takeRestore(given: NonNullable<ProgressLine["restore"]>, atUs: number): void {
    const { tag, step, phase, reason, digest } = given;
    if (phase === "done") this.#takeBack(step);
    const saved = tag === null || phase !== "done" ? undefined : this.#savedDigests.get(tag);
    const isKnown = saved !== undefined && digest !== undefined;
    const sameAsSaved = isKnown ? { sameAsSaved: saved === digest } : {};
    const falseAccept = isKnown && saved !== digest ? { falseAccept: true } : {};
    const why = reason === undefined ? {} : { reason };
    this.put({ kind: "restore", phase, tag, step, ...why, ...sameAsSaved, ...falseAccept }, atUs);
  }

  #takeBack(downToStep: number): void {
    while (this.step > downToStep) this.#kept.pop();
  }
}
