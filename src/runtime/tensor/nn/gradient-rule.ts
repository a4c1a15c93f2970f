import type { DType } from "../dtype/index.ts";
import { asMatrix } from "../ops/as-matrix.ts";
import {
  add,
  ExactTensor,
  embeddingBackward,
  embeddingBackwardExact,
  exactSum,
  type Lookup,
  matmul,
  matmulExact,
  sum,
} from "../ops/index.ts";
import type { Tensor } from "../tensor.ts";

/**
 * How gradients of parameters, which are sums over all rows of a batch, come about. Everything else
 * in a backward pass belongs to one row (or one sequence) and does not depend on the batch.
 */
export interface GradientRule<G> {
  /** inputᵀ gradient over all rows: [..., k] and [..., n] give [k, n]. */
  weight(input: Tensor, gradient: Tensor): G;
  /** The sum of [..., n] over all rows, for a parameter of `dtype`. */
  rows(terms: Tensor, dtype: DType): G;
  /** The sum of gradients into the rows of a table that were looked up. */
  lookup(gradient: Tensor, lookup: Lookup): G;
  /** The sum of two contributions to one parameter. */
  plus(one: G, other: G): G;
}

/**
 * Gradients as tensors: weights by the `matmul` chain over rows ascending, sums of rows and lookups
 * in f64 in row order with one rounding, contributions added and rounded. Fast. The bits belong to
 * the batch as it was cut: two halves do not add up to the bits of the whole.
 */
export const chainGradients: GradientRule<Tensor> = {
  weight: (input, gradient) => matmul(asMatrix(input).transpose(), asMatrix(gradient)),
  rows: (terms, dtype) => sum(asMatrix(terms), { dims: 0 }).to(dtype),
  lookup: embeddingBackward,
  plus: add,
};

/**
 * Gradients as exact sums of the same products and terms. Parts of a batch, wherever and in
 * whichever order they were computed, add up to the same limbs as the whole: this is what makes
 * data parallel, micro-batched and large-batch training equal bit for bit.
 */
export const exactGradients: GradientRule<ExactTensor> = {
  weight: (input, gradient) => matmulExact(asMatrix(input).transpose(), asMatrix(gradient)),
  rows: (terms) => exactSum(asMatrix(terms), { dims: 0 }),
  lookup: embeddingBackwardExact,
  plus: (one, other) => one.plus(other),
};
