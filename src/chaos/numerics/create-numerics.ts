import assert from "node:assert/strict";
import type { JobOptions } from "../../runtime/training/index.ts";
import type {
  Corruption,
  NumericInputs,
  NumericStep,
  Numerics,
  ReplicaInput,
  StateRef,
} from "./numerics.ts";
import { type HeldState, type HeldStep, type JobMemo, memoOf } from "./step-memo.ts";

/** States of one run; a longer one counts (`numerics: "timing"`). */
const statesMax = 2 ** 17;

/**
 * The numbers of a job that learns for real: `runtime/training`, with the bits that it has on every mesh.
 * Handles count up from 1 in the order in which a run meets its states.
 */
export function createNumerics(job: JobOptions): Numerics {
  return new RealNumerics(memoOf(job));
}

class RealNumerics implements Numerics {
  readonly first: StateRef;
  readonly #memo: JobMemo;
  readonly #states: HeldState[] = [];
  readonly #refs = new Map<number, StateRef>();

  constructor(memo: JobMemo) {
    this.#memo = memo;
    this.first = this.#refOf(memo.first);
  }

  step(inputs: NumericInputs): NumericStep | Promise<NumericStep> {
    const { replicas } = inputs;
    assert(replicas.length >= 1, "a step has replicas");
    const isPlain = replicas.every((one) => this.#isPlain(one, replicas[0]?.state));
    const found = isPlain ? this.#together(replicas) : this.#each(replicas);
    if (!(found instanceof Promise)) return this.#taken(found, replicas.length);
    return found.then((step) => this.#taken(step, replicas.length));
  }

  stepsDone(state: StateRef): number {
    return this.#state(state).shard.common.step;
  }

  digest(state: StateRef): string {
    return this.#memo.digestOf(this.#state(state));
  }

  corrupted(state: StateRef, corruption: Corruption): StateRef {
    const { numbers } = this.#memo;
    return this.#new(numbers.corrupted(this.#state(state).shard, corruption));
  }

  mixed(
    state: StateRef,
    other: StateRef,
    shards: { readonly of: number; readonly torn: number },
  ): StateRef {
    const [own, others] = [this.#state(state).shard, this.#state(other).shard];
    return this.#new(this.#memo.numbers.mixed(own, others, shards));
  }

  cursorMoved(state: StateRef, samples: number): StateRef {
    return this.#new(this.#memo.numbers.cursorMoved(this.#state(state).shard, samples));
  }

  #isPlain({ state, contributes, corruption }: ReplicaInput, first: StateRef | undefined): boolean {
    return contributes && corruption === undefined && state === first;
  }

  #together(replicas: readonly ReplicaInput[]): HeldStep | Promise<HeldStep> {
    const memo = this.#memo;
    const { shard, uid } = this.#state(replicas[0]?.state ?? 0);
    return memo.step(`${uid}`, async () => {
      const { shards, ...rest } = await memo.numbers.stepTogether(shard);
      return { ...rest, states: shards.map((after) => memo.held(after)) };
    });
  }

  #each(replicas: readonly ReplicaInput[]): HeldStep | Promise<HeldStep> {
    const memo = this.#memo;
    const held = replicas.map(({ state }) => this.#state(state));
    const key = replicas.map(({ contributes, corruption }, replica) => [
      held[replica]?.uid,
      contributes,
      corruption ?? null,
    ]);
    return memo.step(JSON.stringify(key), async () => {
      const work = replicas.map((one, replica) => ({ ...one, shard: shardOf(held, replica) }));
      const { shards, ...rest } = await memo.numbers.stepEach(work);
      return { ...rest, states: this.#heldOnce(held, shards) };
    });
  }

  /** Replicas that held the same and got the same sum hold the same: one state, and one handle. */
  #heldOnce(before: readonly HeldState[], shards: readonly HeldState["shard"][]): HeldState[] {
    const known = new Map<number, HeldState>();
    return shards.map((shard, replica) => {
      const { uid } = before[replica] as HeldState;
      const state = known.get(uid) ?? this.#memo.held(shard);
      known.set(uid, state);
      return state;
    });
  }

  /** A plain step has one state for all replicas. */
  #taken({ states, ...rest }: HeldStep, replicas: number): NumericStep {
    const refs = states.map((state) => this.#refOf(state));
    const [only] = refs;
    assert(only !== undefined, "a step leaves a state");
    return { ...rest, states: refs.length === replicas ? refs : Array(replicas).fill(only) };
  }

  #new(shard: HeldState["shard"]): StateRef {
    return this.#refOf(this.#memo.held(shard));
  }

  #refOf(state: HeldState): StateRef {
    const known = this.#refs.get(state.uid);
    if (known !== undefined) return known;
    assert(this.#states.length < statesMax, `a run has at most ${statesMax} states`);
    this.#states.push(state);
    this.#refs.set(state.uid, this.#states.length);
    return this.#states.length;
  }

  #state(ref: StateRef): HeldState {
    const state = this.#states[ref - 1];
    assert(state !== undefined, "a state of this run");
    return state;
  }
}

function shardOf(held: readonly HeldState[], replica: number): HeldState["shard"] {
  return (held[replica] as HeldState).shard;
}
