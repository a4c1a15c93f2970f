import { DistTensor } from "../../dist/array/index.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { type Layout, type LayoutSpec, resolveLayout } from "../../dist/layout/index.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import type { Tensor } from "../../tensor/index.ts";

/** What one rank of a world holds of a distributed tensor. */
export interface RankPart {
  /** As many devices as the world has ranks. */
  readonly mesh: Mesh;
  /** @default replicated */
  readonly layout?: LayoutSpec | Layout;
  /** Of the whole. */
  readonly shape: readonly number[];
  readonly rank: number;
  readonly local: Tensor;
}

/**
 * A distributed tensor of which only one rank's part is here, for `save` with a `world`: every rank
 * gives its own. To read another rank's part is an error.
 *
 * @throws the layout's own errors
 */
export function rankPart({ mesh, layout: spec, shape, rank, local }: RankPart): DistTensor {
  const layout = resolveLayout(spec, { mesh, shape });
  const own = new TensorBlock(local);
  const blocks = (asked: number) => {
    if (asked === rank) return own;
    throw new Error(`rank ${asked} holds its part itself; here is that of rank ${rank}`);
  };
  return new DistTensor({ mesh, layout, dtype: local.dtype, shape, blocks, requested: spec });
}
