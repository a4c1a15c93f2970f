import type { Tensor } from "../../tensor/index.ts";

/** The ways in which ranks of a job differ: by samples, by columns of weights, by layers. */
export const parallelAxes = ["dp", "tp", "pp"] as const;
export type ParallelAxis = (typeof parallelAxes)[number];

export interface AxisPlace {
  readonly index: number;
  readonly size: number;
}

/** Where a rank stands in its job. */
export type Place = Readonly<Record<ParallelAxis, AxisPlace>>;

/** What one rank's step may ask of the others, and of the machine under it. */
export interface StepLinks {
  readonly place: Place;
  /**
   * The sum over the ranks that differ on these axes, on each of them. Exact for whole numbers below
   * 2^53; otherwise as the ranks under it add, the same on every rank.
   */
  allReduce(
    tensor: Tensor,
    o: { readonly over: readonly ParallelAxis[]; readonly name: string },
  ): Promise<Tensor>;
  /** To the rank with the same place in another stage. Done when it is taken: await it last. */
  send(tensor: Tensor, o: { readonly stage: number; readonly name: string }): Promise<void>;
  recv(o: { readonly stage: number; readonly name: string }): Promise<Tensor>;
  /** What the device really has after it computed something; a sound one has just that. */
  computed(op: string, tensor: Tensor): Tensor;
  /**
   * The result of a pure function, `what`, of these inputs. Ranks of one process that hold the very
   * same inputs may compute it once.
   */
  shared<T extends object>(what: string, inputs: readonly object[], make: () => T): T;
}
