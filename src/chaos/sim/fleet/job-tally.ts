import { RecoveryBook } from "./recovery-book.ts";

/** Effects of one outage whose recoveries are told apart; more are counted, not timed. */
const effectsMax = 4096;

/** What happened to a job, counted. */
export class JobTally {
  readonly recoveries = new RecoveryBook();
  /** By cause of the model; those that it does not name come last. */
  readonly stops: Uint32Array;
  restarts = 0;
  plannedStops = 0;
  stalls = 0;
  lostSteps = 0;
  /** Times that no checkpoint from before a corruption was left. */
  contaminated = 0;
  #effectsUs: number[] = [];

  constructor(causes: number) {
    this.stops = new Uint32Array(causes + 1);
  }

  stopped(cause: number, atUs: number): void {
    const index = cause < 0 ? this.stops.length - 1 : cause;
    this.stops[index] = (this.stops[index] as number) + 1;
    if (this.#effectsUs.length < effectsMax) this.#effectsUs.push(atUs);
  }

  /** The first step after all that went wrong is done then. */
  recovered(firstUs: number): void {
    for (const effectUs of this.#effectsUs) this.recoveries.add(firstUs - effectUs);
    this.#effectsUs = [];
  }

  /** Failures that the job has not come back from. */
  get open(): number {
    return this.#effectsUs.length;
  }
}
