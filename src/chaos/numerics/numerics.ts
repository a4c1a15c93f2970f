/** A state of the job that never changes: model, optimizer, random state, cursor. */
export type StateRef = number;

/**
 * The numbers of a training job, apart from who computes them where and when. What replicas hold is
 * named by handles, so that ten thousand ranks that hold the same cost no more than one.
 */
export interface Numerics {
  /** Before the first step. */
  readonly first: StateRef;
  /**
   * One step of the data-parallel replicas together. A promise when it has to be computed; a value when it
   * was computed before.
   */
  step(inputs: NumericInputs): NumericStep | Promise<NumericStep>;
  stepsDone(state: StateRef): number;
  /** Of everything in the state; equal exactly when all bits are. */
  digest(state: StateRef): string;
  /** A state with wrong bits in a parameter. */
  corrupted(state: StateRef, corruption: Corruption): StateRef;
  /** What a reader has that takes some shards of another state for its own. */
  mixed(
    state: StateRef,
    other: StateRef,
    shards: { readonly of: number; readonly torn: number },
  ): StateRef;
  /** The same state with its cursor moved by so many samples. */
  cursorMoved(state: StateRef, samples: number): StateRef;
}

export interface NumericInputs {
  /** In the order of their places in the batch; the batch is cut into as many parts. */
  readonly replicas: readonly ReplicaInput[];
}

export interface ReplicaInput {
  readonly state: StateRef;
  /** False: its gradients are left out of the sum, which no sound job does. */
  readonly contributes: boolean;
  /** Wrong bits in what it hands to the sum. */
  readonly corruption?: Corruption;
}

export interface NumericStep {
  /** Of each replica, afterwards. */
  readonly states: readonly StateRef[];
  readonly loss: number;
  readonly gradientNorm: number;
  /** First and one after the last sample of the batch, counted over all epochs. */
  readonly samples: readonly [from: number, to: number];
}

/** Wrong bits: at which elements of all parameters laid end to end, and which bit; or a NaN. */
export interface Corruption {
  readonly first: number;
  /** Every so many elements; 0: only the first. */
  readonly stride: number;
  readonly count: number;
  readonly bit: number | "nan";
}
