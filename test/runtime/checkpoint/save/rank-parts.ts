import { rankPart } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { DistTensor } from "../../../../src/runtime/dist/index.ts";
import { dist } from "./runtime.ts";

export const mesh = new dist.Mesh({ axes: ["dp", "tp"], devices: 4, shape: [2, 2] });
export const columns = dist.shardSpec({ partition: [1], meshAxes: ["tp"] });

/** What one rank holds of a tensor that is whole here. */
export function partOf(whole: DistTensor, rank: number): DistTensor {
  const { layout, shape } = whole;
  return rankPart({ mesh, layout, shape, rank, local: whole.local(rank) });
}

export function distributed(shape: readonly number[], layout: dist.LayoutSpec): DistTensor {
  const size = shape.reduce((product, length) => product * length, 1);
  const values = Float32Array.from({ length: size }, (_, at) => Math.fround(at * 0.7));
  return dist.tensor({ values, shape }, { mesh, layout });
}
