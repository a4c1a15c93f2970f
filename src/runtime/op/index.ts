/**
 * Operations on tensors of this host, of a GPU, and on the devices of a mesh, by the same names: what
 * a device can do alone, and the collectives, which also go between the ranks of a world. Results on a
 * GPU are close to the host's; they have its bits where that is said in `cuda`.
 */
export {
  allToAllV,
  barrier,
  gather,
  hierarchicalAllReduce,
  permute,
  reduce,
  reducePartial,
  scatter,
  sendRecv,
} from "../dist/collectives/index.ts";
export { type OrderErrorBoundOptions, orderErrorBound } from "../tensor/reduce/index.ts";
export {
  add,
  type BinaryOperation,
  div,
  gelu,
  geluBackward,
  mul,
  neg,
  relu,
  reluBackward,
  scale,
  silu,
  siluBackward,
  sub,
} from "./arithmetic.ts";
export type { RankBroadcastOptions, RankOptions, RankSumOptions } from "./between-ranks.ts";
export { allGather, allReduce, allToAll, broadcast, reduceScatter } from "./collectives.ts";
export { crossEntropy, type DistCrossEntropy, embedding } from "./lookup.ts";
export { matmul } from "./matmul.ts";
export type { Operand } from "./operand.ts";
export { type DimsOptions, max, mean, min, type SumOptions, sum, transpose } from "./reductions.ts";
export { layerNorm, logSoftmax, type NormOperands, rmsNorm, softmax } from "./rows.ts";
