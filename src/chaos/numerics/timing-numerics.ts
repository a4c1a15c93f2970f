import assert from "node:assert/strict";
import type { Corruption, NumericInputs, NumericStep, Numerics, StateRef } from "./numerics.ts";

/** States that are not what so many steps make: corrupted, mixed, moved. */
const oddStatesMax = 2 ** 20;

interface OddState {
  readonly steps: number;
  /** Samples by which its cursor is off. */
  readonly moved: number;
  /** What was done to it, in order. */
  readonly history: string;
}

/**
 * Handles without numbers behind them, for months of large jobs: a state is how many steps were done, and what
 * went wrong with it. It proves nothing about values; its digests begin with `timing:` to say so.
 */
export function createTimingNumerics(options: { readonly batch: number }): Numerics {
  return new CountingNumerics(options.batch);
}

class CountingNumerics implements Numerics {
  readonly first: StateRef = 0;
  readonly #batch: number;
  /** By -1 - ref. A sound state is the number of its steps, which needs no memory. */
  readonly #odd: OddState[] = [];
  readonly #refs = new Map<string, StateRef>();

  constructor(batch: number) {
    this.#batch = batch;
  }

  step({ replicas }: NumericInputs): NumericStep {
    const [first] = replicas;
    assert(first !== undefined, "a step has replicas");
    const { state } = first;
    let isPlain = state >= 0 && first.contributes && first.corruption === undefined;
    for (let replica = 1; replica < replicas.length; replica++) {
      const one = replicas[replica] as NumericInputs["replicas"][number];
      if (one === first) continue;
      if (one.state !== state || !one.contributes || one.corruption !== undefined) isPlain = false;
    }
    const from = this.stepsDone(state) * this.#batch + (state < 0 ? this.#oddOf(state).moved : 0);
    const states = isPlain ? Array(replicas.length).fill(state + 1) : this.#each({ replicas });
    return { states, loss: 0, gradientNorm: 0, samples: [from, from + this.#batch] };
  }

  stepsDone(state: StateRef): number {
    return state >= 0 ? state : this.#oddOf(state).steps;
  }

  digest(state: StateRef): string {
    if (state >= 0) return `timing:${state}`;
    const { steps, moved, history } = this.#oddOf(state);
    return `timing:${steps}:${moved}:${history}`;
  }

  corrupted(state: StateRef, corruption: Corruption): StateRef {
    return this.#changed(state, 0, `corrupted ${JSON.stringify(corruption)}`);
  }

  mixed(
    state: StateRef,
    other: StateRef,
    { of, torn }: { readonly of: number; readonly torn: number },
  ): StateRef {
    if (torn === 0 || state === other) return state;
    return this.#changed(state, 0, `mixed ${torn}/${of} of ${this.digest(other)}`);
  }

  cursorMoved(state: StateRef, samples: number): StateRef {
    return this.#changed(state, samples, "");
  }

  /** What went wrong with one of them is now in the sum that all of them have. */
  #each({ replicas }: NumericInputs): StateRef[] {
    const first = replicas[0]?.state ?? 0;
    const marks = replicas.flatMap(({ state, contributes, corruption }, replica) => {
      if (!contributes) return [`without ${replica}`];
      if (corruption !== undefined) return [`${replica}: ${JSON.stringify(corruption)}`];
      return state === first ? [] : [`${replica} from ${this.digest(state)}`];
    });
    const mark = marks.join("; ");
    return replicas.map(({ state }) => this.#stepped(state, mark));
  }

  #stepped(state: StateRef, mark: string): StateRef {
    const before = this.#odd[-1 - state] ?? { steps: state, moved: 0, history: "" };
    return this.#refOf({
      ...before,
      steps: before.steps + 1,
      history: shortened(before.history, mark),
    });
  }

  #changed(state: StateRef, moved: number, mark: string): StateRef {
    const before = this.#odd[-1 - state] ?? { steps: state, moved: 0, history: "" };
    return this.#refOf({
      steps: before.steps,
      moved: before.moved + moved,
      history: shortened(before.history, mark),
    });
  }

  #refOf(odd: OddState): StateRef {
    if (odd.moved === 0 && odd.history === "") return odd.steps;
    const key = JSON.stringify([odd.steps, odd.moved, odd.history]);
    const known = this.#refs.get(key);
    if (known !== undefined) return known;
    assert(this.#odd.length < oddStatesMax, `at most ${oddStatesMax} states are odd`);
    this.#odd.push(odd);
    const ref = -this.#odd.length;
    this.#refs.set(key, ref);
    return ref;
  }

  #oddOf(state: StateRef): OddState {
    const odd = this.#odd[-1 - state];
    assert(odd !== undefined, "a state of this run");
    return odd;
  }
}

const historyMax = 200;

/** Different beginnings may end alike then; a run that only counts proves nothing about values anyway. */
function shortened(history: string, mark: string): string {
  const all = mark === "" ? history : `${history}${history === "" ? "" : ", "}${mark}`;
  return all.length > historyMax ? all.slice(all.length - historyMax) : all;
}
