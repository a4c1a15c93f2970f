import assert from "node:assert/strict";
import { tagOfStep } from "./checkpoint-tag.ts";

/** The committed checkpoints that a job may go back to. */
export class Checkpoints {
  readonly #keep: number;
  /** Steps, in order. */
  #steps: readonly number[] = [];

  constructor(keep: number) {
    assert(keep >= 1, "a checkpoint that is not kept is none");
    this.#keep = keep;
  }

  /** A further one, or one that was saved again. The oldest go. */
  commit(step: number): void {
    const others = this.#steps.filter((other) => other !== step);
    this.#steps = [...others, step].toSorted((a, b) => a - b).slice(-this.#keep);
  }

  has(step: number): boolean {
    return this.#steps.includes(step);
  }

  /** It is not whole, or what it holds is wrong. */
  drop(step: number): void {
    this.#steps = this.#steps.filter((other) => other !== step);
  }

  /** Null: there is none, the job goes on from its beginning. */
  newest(): { readonly tag: string; readonly step: number } | null {
    const step = this.#steps.at(-1);
    return step === undefined ? null : { tag: tagOfStep(step), step };
  }
}
