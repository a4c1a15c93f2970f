import assert from "node:assert/strict";
import type { FleetJob } from "./fleet-job.ts";
import type { TimeBook } from "./time-book.ts";

/** A save that counts. What came after `keptUs` is lost when the job goes back to it. */
interface Checkpoint {
  readonly step: number;
  /** When it was begun: what it holds. */
  readonly takenUs: number;
  readonly keptUs: number;
}

export interface Rollback {
  readonly lostUs: number;
  readonly lostSteps: number;
  /** No checkpoint from before the corruption was left: what it goes on from is wrong. */
  readonly isContaminated: boolean;
}

/**
 * Steps and checkpoints, counted by arithmetic: nothing happens for a step, and a save costs a turn of a loop.
 * Exact for an interruption at any moment, in a step, in a save, or while a save is written behind the job.
 */
export class Progress {
  readonly #job: FleetJob;
  readonly #book: TimeBook;
  /** The oldest first. The beginning is one until it is too old to be kept. */
  readonly #checkpoints: Checkpoint[] = [{ step: 0, takenUs: -1, keptUs: 0 }];
  #step = 0;
  /** Done of the step under way, in time that it takes when all is well. */
  #workUs = 0;
  #saveLeftUs = 0;
  #writing: (Checkpoint & { readonly countsUs: number }) | null = null;

  constructor(job: FleetJob, book: TimeBook) {
    this.#job = job;
    this.#book = book;
  }

  /** Steps that are done and were not undone. */
  get step(): number {
    return this.#step;
  }

  /** The job computes from one time to another; `pace` is how many times longer a step takes. */
  advance(fromUs: number, toUs: number, pace: number): void {
    const { stepUs, checkpoint } = this.#job;
    const { everySteps, blockingUs, writeUs } = checkpoint;
    let atUs = fromUs;
    // Each turn ends a save or a stretch of at least one step, but for the last one.
    const turnsMax = 4 + (2 * (toUs - fromUs)) / stepUs;
    for (let turn = 0; atUs < toUs; turn++) {
      assert(turn <= turnsMax, "time goes on");
      if (this.#saveLeftUs > 0) {
        const endUs = Math.min(toUs, atUs + this.#saveLeftUs);
        this.#book.saved(atUs, endUs);
        this.#saveLeftUs = endUs < toUs ? 0 : atUs + this.#saveLeftUs - endUs;
        atUs = endUs;
        continue;
      }
      const toSave = everySteps - (this.#step % everySteps);
      const endUs = atUs + (toSave * stepUs - this.#workUs) * pace;
      if (endUs > toUs) {
        this.#book.computed(atUs, toUs, pace);
        this.#work((toUs - atUs) / pace, toSave - 1);
        break;
      }
      this.#book.computed(atUs, endUs, pace);
      this.#step += toSave;
      this.#workUs = 0;
      this.#written(endUs);
      this.#saveLeftUs = blockingUs;
      const keptUs = endUs + blockingUs;
      this.#writing = { step: this.#step, takenUs: endUs, keptUs, countsUs: endUs + writeUs };
      atUs = endUs;
    }
    this.#written(toUs);
  }

  /** Until the step under way is done, or the save. */
  boundaryInUs(pace: number): number {
    if (this.#saveLeftUs > 0) return this.#saveLeftUs;
    return this.#workUs === 0 ? 0 : (this.#job.stepUs - this.#workUs) * pace;
  }

  /** Until a step is done, with the saves on the way. */
  untilUs(step: number, pace: number): number {
    const { stepUs, checkpoint } = this.#job;
    const saves =
      Math.floor((step - 1) / checkpoint.everySteps) -
      Math.floor(this.#step / checkpoint.everySteps);
    const workUs = (step - this.#step) * stepUs - this.#workUs;
    return this.#saveLeftUs + workUs * pace + Math.max(0, saves) * checkpoint.blockingUs;
  }

  /** Saves here and now, and waits until it is written. */
  saveAt(atUs: number): void {
    const keptUs = atUs + this.#job.checkpoint.writeUs;
    this.#book.saved(atUs, keptUs);
    this.#writing = null;
    this.#saveLeftUs = 0;
    this.#keep({ step: this.#step, takenUs: atUs, keptUs });
  }

  /** The step under way starts over; a save goes on where it was. */
  loseStep(pace: number): void {
    this.#book.undoLast(this.#workUs * pace);
    this.#workUs = 0;
  }

  /** Goes back to the newest checkpoint that counts, or to the newest from before a corruption. */
  rollBack(cleanUntilUs = Infinity): Rollback {
    const clean = this.#checkpoints.findLastIndex(({ takenUs }) => takenUs <= cleanUntilUs);
    const index = Math.max(0, clean);
    const { step, keptUs } = this.#checkpoints[index] as Checkpoint;
    this.#checkpoints.length = index + 1;
    const lostSteps = this.#step - step;
    this.#step = step;
    this.#workUs = 0;
    this.#saveLeftUs = 0;
    this.#writing = null;
    return { lostUs: this.#book.undo(keptUs), lostSteps, isContaminated: clean < 0 };
  }

  /** At most so many steps, whatever rounding says: the one that ends in a save ends there. */
  #work(workUs: number, stepsMax: number): void {
    const { stepUs } = this.#job;
    const doneUs = this.#workUs + workUs;
    const steps = Math.min(Math.floor(doneUs / stepUs), stepsMax);
    this.#step += steps;
    this.#workUs = doneUs - steps * stepUs;
  }

  #written(atUs: number): void {
    const writing = this.#writing;
    if (writing === null || writing.countsUs > atUs) return;
    this.#writing = null;
    this.#keep(writing);
  }

  #keep({ step, takenUs, keptUs }: Checkpoint): void {
    this.#checkpoints.push({ step, takenUs, keptUs });
    if (this.#checkpoints.length > this.#job.checkpoint.keep) this.#checkpoints.shift();
    this.#book.settle((this.#checkpoints[0] as Checkpoint).keptUs);
  }
}
