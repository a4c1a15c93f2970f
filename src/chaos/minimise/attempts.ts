import assert from "node:assert/strict";
import type { ChaosPlan } from "../plan/index.ts";

/** Runs a plan and says how it failed; null: it did not, or nobody could tell. */
export type FailsHow = (plan: ChaosPlan) => Promise<string | null>;

export const minimisePhases = ["check", "faults", "parameters", "world", "times"] as const;
export type MinimisePhase = (typeof minimisePhases)[number];

/** One thing that was tried. */
export interface Attempt {
  /** Counted from 1. */
  readonly run: number;
  readonly phase: MinimisePhase;
  /** In words: `without f-3 and f-7`. */
  readonly change: string;
  /** How the smaller plan failed; null: it did not. */
  readonly signature: string | null;
  /** It failed the same way, and is what the next one starts from. */
  readonly accepted: boolean;
}

/** A plan to try, and how it differs from the current one. */
export interface Candidate {
  readonly plan: ChaosPlan;
  readonly change: string;
}

export interface AttemptsOptions {
  readonly fails: FailsHow;
  readonly signature: string;
  readonly runsMax: number;
  /** Runs at once. */
  readonly parallel: number;
  readonly admits: (plan: ChaosPlan) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
}

/**
 * What was tried so far, and the smallest plan that failed the same way. Runs are counted as if they were
 * made one after the other, so that the result does not depend on how many are made at once: what is run
 * ahead and then not needed is free.
 */
export class Attempts {
  phase: MinimisePhase = "check";
  readonly history: Attempt[] = [];
  readonly #options: AttemptsOptions;
  readonly #known = new Map<string, string | null>();
  readonly #ahead = new Map<string, Promise<string | null>>();
  #current: ChaosPlan;
  #runs = 0;
  #underWay = 0;

  constructor(plan: ChaosPlan, options: AttemptsOptions) {
    assert(options.parallel >= 1 && options.runsMax >= 1, "there is something to run with");
    this.#current = plan;
    this.#options = options;
  }

  /** The smallest plan known to fail the same way. */
  get current(): ChaosPlan {
    return this.#current;
  }

  get runs(): number {
    return this.#runs;
  }

  /** One run is kept back for the look at the result. */
  get isSpent(): boolean {
    return this.#runs >= this.#options.runsMax - 1;
  }

  /** Knows without running: of the plan that everything began with. */
  learn(plan: ChaosPlan, signature: string | null): void {
    this.#known.set(keyOf(plan), signature);
  }

  /**
   * Whether a plan fails the same way; then it is the current one. `next` are plans that may be asked for
   * after this one, to be run at the same time. Without runs left, and for what is not admitted: no.
   */
  async accepts(candidate: Candidate, next: readonly ChaosPlan[] = []): Promise<boolean> {
    const { plan, change } = candidate;
    const { admits, signature: wanted } = this.#options;
    if (!admits(plan)) return false;
    const key = keyOf(plan);
    const known = this.#known.get(key);
    if (known !== undefined) {
      if (known !== wanted) return false;
      this.#current = plan;
      return true;
    }
    if (this.isSpent) return false;
    const under = this.#start(plan);
    for (const ahead of next) this.#startAhead(ahead);
    const signature = await under;
    this.#ahead.delete(key);
    this.#known.set(key, signature);
    const accepted = signature === wanted;
    if (accepted) this.#current = plan;
    this.note(change, signature, accepted);
    return accepted;
  }

  /** The first of several, in their order, that fails the same way. */
  async first(candidates: readonly Candidate[]): Promise<boolean> {
    for (const [at, candidate] of candidates.entries()) {
      const next = candidates.slice(at + 1).map(({ plan }) => plan);
      if (await this.accepts(candidate, next)) return true;
    }
    return false;
  }

  /** Runs the current plan once more, whatever is known of it. */
  async again(change: string): Promise<string | null> {
    const signature = await this.#options.fails(this.#current);
    this.note(change, signature, signature === this.#options.signature);
    return signature;
  }

  /** Waits for what was run ahead and is not needed any more. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#ahead.values());
  }

  note(change: string, signature: string | null, accepted: boolean): void {
    const attempt = { run: ++this.#runs, phase: this.phase, change, signature, accepted };
    this.history.push(attempt);
    this.#options.onAttempt?.(attempt);
  }

  #start(plan: ChaosPlan): Promise<string | null> {
    this.#options.signal?.throwIfAborted();
    const key = keyOf(plan);
    const before = this.#ahead.get(key);
    if (before !== undefined) return before;
    this.#underWay++;
    const started = this.#options.fails(plan).finally(() => this.#underWay--);
    // Whoever waits for it hears of it; what nobody waits for must not end the process.
    started.catch(() => {});
    this.#ahead.set(key, started);
    return started;
  }

  #startAhead(plan: ChaosPlan): void {
    if (this.#underWay < this.#options.parallel && !this.#known.has(keyOf(plan)))
      void this.#start(plan);
  }
}

/** Plans are made by copying, which keeps the order of fields, so equal plans have equal text. */
function keyOf(plan: ChaosPlan): string {
  return JSON.stringify(plan);
}
