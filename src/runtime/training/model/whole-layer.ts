import type { Layer } from "../../tensor/nn/index.ts";
import type { ShardLayer } from "./shard-layer.ts";

/** A layer that every tensor-parallel rank computes by itself, on the same values. */
export function wholeLayer(layer: Layer): ShardLayer {
  return {
    name: layer.name,
    params: layer.params.map(({ name, shape, dtype }) => ({ name, shape, dtype })),
    forward: async (context, params, input) => {
      const { output, saved } = layer.forward(params, input);
      return { output: context.computed("matmul", output), saved };
    },
    backward: async (_, inputs) => layer.backward(inputs),
  };
}
