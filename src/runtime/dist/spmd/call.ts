import type { Tensor } from "../../tensor/index.ts";
import type { Hop } from "../collectives/routes.ts";
import type { CollectiveOp } from "../time-model/index.ts";
import type { Result } from "./pending-call.ts";

/** One rank's part in an operation. */
export interface Call {
  /** As errors and profiles name it. */
  readonly op: CollectiveOp;
  /** What this rank brings. */
  readonly tensor: Tensor | undefined;
  /** For all-to-all with parts of different size: how much of the tensor goes to each member. */
  readonly parts?: readonly number[];
  /** What all ranks must agree in, by name; undefined where this rank leaves it open. */
  readonly terms: Readonly<Record<string, string | undefined>>;
  /** What this rank wants, in words: `all-reduce (sum) of f32[4] over dp`. */
  readonly wish: string;
  /** The part of the operation in which links are used, and the links, for these members. */
  readonly phase: string;
  route(members: readonly number[]): Iterable<Hop>;
  /** S of nccl-tests, in bytes, once all members are there. */
  bytes(all: readonly Call[]): number;
  /** What each member gets, in the order of the members. */
  combine(all: readonly Call[]): readonly Result[];
}

/** The tensors of all members, of an operation to which everyone brings one. */
export function tensorsOf(all: readonly Call[]): readonly Tensor[] {
  return all.flatMap(({ tensor }) => (tensor === undefined ? [] : [tensor]));
}
