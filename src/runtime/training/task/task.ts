import type { Tensor } from "../../tensor/index.ts";
import type { RandomCursor, SampleId } from "./sample.ts";

/** Inputs and targets of some samples, in their order. */
export interface TaskRows {
  readonly inputs: Tensor;
  readonly targets: Tensor;
}

/** Data that can be learnt, each sample made from the seed and its index alone. */
export interface Task {
  /** Random numbers that one sample uses up when its inputs are changed. */
  readonly drawsPerSample: number;
  /** Targets of one sample, which the loss is the mean over. */
  readonly targetsPerSample: number;
  /** `random` is where the numbers of the first of these samples begin. */
  rows(ids: readonly SampleId[], random: RandomCursor): TaskRows;
}

/** A number in [0, 1) from 32 random bits. */
export function fraction(word: number): number {
  return word / 2 ** 32;
}
