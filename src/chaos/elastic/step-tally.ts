import assert from "node:assert/strict";
import type { StepNews } from "./messages.ts";

/** Reports of rank 0 that are kept until all others have come as far. */
const reportsMax = 1024;

/** Counts who has done which step. A step counts when all ranks have done it, and once. */
export class StepTally {
  readonly #stepOf: Int32Array;
  readonly #reports = new Map<number, StepNews>();
  #step: number;
  /** Ranks that have done more than `#step`. */
  #ahead = 0;

  constructor(ranks: number, step: number) {
    assert(ranks >= 1 && step >= 0, "a tally has ranks, and a step to begin with");
    this.#stepOf = new Int32Array(ranks).fill(step);
    this.#step = step;
  }

  /** Done by all. */
  get step(): number {
    return this.#step;
  }

  stepOf(rank: number): number {
    return this.#stepOf[rank] ?? this.#step;
  }

  /** The step that this report completes; null when others have not done it, or when it is none of now. */
  report(rank: number, news: StepNews): StepNews | null {
    const before = this.stepOf(rank);
    if (news.step !== before + 1) return null;
    this.#stepOf[rank] = news.step;
    if (news.step !== this.#step + 1) {
      if (rank === 0) this.#keep(news);
      return null;
    }
    this.#ahead++;
    if (this.#ahead < this.#stepOf.length) {
      if (rank === 0) this.#keep(news);
      return null;
    }
    this.#advance(news.step);
    return news;
  }

  /** A checkpoint of this step holds the part of every rank: all have done it, reported or not. */
  committed(step: number): readonly StepNews[] {
    const implied: StepNews[] = [];
    for (let at = this.#step + 1; at <= step; at++) {
      const news = this.#reports.get(at);
      if (news !== undefined) implied.push(news);
    }
    if (step > this.#step) this.#advance(step);
    return implied;
  }

  /** Ranks that have not done the next step, while others may have. */
  lagging(): readonly number[] {
    const behind: number[] = [];
    for (const [rank, step] of this.#stepOf.entries()) if (step <= this.#step) behind.push(rank);
    return behind;
  }

  #keep(news: StepNews): void {
    this.#reports.set(news.step, news);
    if (this.#reports.size > reportsMax) this.#reports.delete(news.step - reportsMax);
  }

  #advance(step: number): void {
    for (let at = this.#step + 1; at <= step; at++) this.#reports.delete(at);
    this.#step = step;
    this.#ahead = 0;
    const stepOf = this.#stepOf;
    for (let rank = 0; rank < stepOf.length; rank++) {
      if ((stepOf[rank] as number) > step) this.#ahead++;
    }
  }
}
