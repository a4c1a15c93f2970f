import type { JobOptions } from "../../runtime/training/index.ts";
import type { RankShard } from "../../runtime/training/step/index.ts";
import { JobNumbers } from "./job-numbers.ts";
import type { NumericStep } from "./numerics.ts";

/** A state with a number that no other state of the process has. */
export interface HeldState {
  readonly uid: number;
  readonly shard: RankShard;
  /** Of its bits, once somebody asked. */
  digest: string | undefined;
}

/** A step that was computed before, for whichever run. */
export interface HeldStep extends Omit<NumericStep, "states"> {
  readonly states: readonly HeldState[];
}

const jobsMax = 16;
const stepsMax = 4096;

/**
 * Steps by what went into them. Runs of the same job ask for the same steps again and again: each distinct
 * one is computed once. What is longest unused goes first; then it is computed again, with the same bits.
 */
export class JobMemo {
  readonly numbers: JobNumbers;
  readonly first: HeldState;
  readonly #steps = new Map<string, HeldStep | Promise<HeldStep>>();
  #uids = 0;

  constructor(job: JobOptions) {
    this.numbers = new JobNumbers(job);
    this.first = this.held(this.numbers.first);
  }

  held(shard: RankShard): HeldState {
    return { uid: ++this.#uids, shard, digest: undefined };
  }

  digestOf(state: HeldState): string {
    state.digest ??= this.numbers.digest(state.shard);
    return state.digest;
  }

  /** A step that is known, one that is being computed, or one that is computed now. */
  step(key: string, compute: () => Promise<HeldStep>): HeldStep | Promise<HeldStep> {
    const known = this.#steps.get(key);
    if (known !== undefined) {
      this.#steps.delete(key);
      this.#steps.set(key, known);
      return known;
    }
    const computing = compute();
    this.#keep(key, computing);
    computing.then(
      (step) => this.#keep(key, step),
      () => this.#steps.delete(key),
    );
    return computing;
  }

  #keep(key: string, step: HeldStep | Promise<HeldStep>): void {
    this.#steps.set(key, step);
    const [oldest] = this.#steps.keys();
    if (this.#steps.size > stepsMax && oldest !== undefined) this.#steps.delete(oldest);
  }
}

const memos = new Map<string, JobMemo>();

/** What runs of this job share in this process. */
export function memoOf(job: JobOptions): JobMemo {
  const key = JSON.stringify(job);
  const memo = memos.get(key) ?? new JobMemo(job);
  memos.delete(key);
  memos.set(key, memo);
  const [oldest] = memos.keys();
  if (memos.size > jobsMax && oldest !== undefined) memos.delete(oldest);
  return memo;
}
