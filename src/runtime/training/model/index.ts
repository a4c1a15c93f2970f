/** Models cut over tensor-parallel ranks, layer by layer. */
export { checkTensorParallel, type ShardedModel, shardedModel } from "./model.ts";
export type {
  LayerContext,
  ShardBackward,
  ShardLayer,
  ShardParam,
} from "./shard-layer.ts";
