import type { Layer } from "../layer.ts";
import { BlockLayer } from "./block-layer.ts";
import { resolveTransformer, type TransformerConfig } from "./config.ts";
import { EmbeddingLayer } from "./embedding-layer.ts";
import { HeadLayer } from "./head-layer.ts";

export type { TransformerConfig } from "./config.ts";

/**
 * A decoder-only transformer from tokens [batch, positions] (i32) to logits [batch, positions,
 * vocabulary]: the embedding, the blocks (norm before attention and before the perceptron), the
 * head. Each is a layer, so a pipeline can cut between any two. A sequence's logits do not depend
 * on the rest of the batch, nor a position's on what comes after it.
 */
export function transformerLayers(config: TransformerConfig): readonly Layer[] {
  const resolved = resolveTransformer(config);
  const blocks = Array.from(
    { length: resolved.blocks },
    (_, index) => new BlockLayer(index, resolved),
  );
  return [new EmbeddingLayer(resolved), ...blocks, new HeadLayer(resolved)];
}
