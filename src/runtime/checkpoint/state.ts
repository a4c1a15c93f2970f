import type { CudaTensor } from "../cuda/tensor/index.ts";
import type { DistTensor } from "../dist/array/index.ts";
import type { Tensor } from "../tensor/index.ts";

/** A leaf that is no tensor. Numbers keep every value, NaN, infinities and -0 included. */
export type StateValue = number | string | boolean | bigint | null;

/** What can be saved at a leaf. */
export type StateLeaf = Tensor | DistTensor | CudaTensor | StateValue;

/**
 * What a checkpoint holds: records and lists of any depth with leaves. Usual names at the top are
 * `model`, `optimizer`, `rng`, `data` and `step`; nothing depends on them but `step`.
 */
export type State = { readonly [name: string]: StateNode };
export type StateNode = StateLeaf | readonly StateNode[] | State;
