/**
 * Reductions over the ranks of a collective: the exact sum rounded once, the same bits for every
 * order, grouping, engine and number of threads; and the orders of real hardware, to show what they
 * do. Sources are read chunk by chunk, never as a whole.
 */
export { type OrderErrorBoundOptions, orderErrorBound } from "./order-error-bound.ts";
export { readSource } from "./read-source.ts";
export { reduceInto } from "./reduce-into.ts";
export {
  type BitPatch,
  type ChunkSource,
  type ReduceOp,
  type ReduceOrder,
  type ReduceRequest,
  type ReduceStats,
  reduceOps,
  reduceOrders,
} from "./types.ts";
