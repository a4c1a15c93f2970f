import type { Params } from "../../tensor/nn/index.ts";
import type { DataCursor, RandomCursor } from "../task/index.ts";
import type { OptimizerShard } from "./optimizer.ts";

/** Numbers that change while a job trains and are no parameters. */
export interface HyperState {
  /** 1 without scaling. */
  readonly lossScale: number;
  /** Steps since the scale changed. */
  readonly goodSteps: number;
}

/** What all ranks of a job know alike. */
export interface CommonState {
  /** Steps done. */
  readonly step: number;
  readonly rng: RandomCursor;
  readonly data: DataCursor;
  readonly hyper: HyperState;
}

/** All that one rank holds between two steps. A value: a step gives a new one. */
export interface RankShard {
  readonly common: CommonState;
  /** Those of its stage, its part of each. */
  readonly params: Params;
  readonly optimizer: OptimizerShard;
}
