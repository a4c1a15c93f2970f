import {
  initParams,
  type Layer,
  mlpLayers,
  type Params,
  transformerLayers,
} from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import { resolveTransformer } from "../../tensor/nn/transformer/config.ts";
import { shapeError } from "../../tensor/shape.ts";
import type { ModelOptions } from "../options.ts";
import { BlockShard } from "./block-shard.ts";
import { mlpShards } from "./mlp-shards.ts";
import type { ShardLayer, ShardParam } from "./shard-layer.ts";
import { wholeLayer } from "./whole-layer.ts";

/** A model as ranks hold it. */
export interface ShardedModel {
  readonly layers: readonly ShardLayer[];
  /** Every parameter once, by name. */
  readonly params: ReadonlyMap<string, ShardParam>;
  /** All parameters at the start, whole. */
  init(seed: string): Params;
}

export function shardedModel(options: ModelOptions): ShardedModel {
  const { layers, dense } = options.kind === "mlp" ? mlp(options) : transformer(options);
  const params = new Map(layers.flatMap((layer) => layer.params).map((one) => [one.name, one]));
  return {
    layers,
    params,
    init: (seed) => {
      const whole = initParams(dense, seed);
      const shaped = [...params.values()].map(
        ({ name, shape }) => [name, tensorNamed(whole, name).reshape(shape)] as const,
      );
      return Object.fromEntries(shaped);
    },
  };
}

/** @throws E_SHAPE when a dimension that is split over `tp` cannot be shared out evenly. */
export function checkTensorParallel(model: ShardedModel, options: ModelOptions, tp: number): void {
  if (options.kind === "transformer" && options.heads % tp !== 0) {
    throw shapeError("training", `${options.heads} heads cannot be shared by ${tp} ranks`);
  }
  for (const { name, shape, split } of model.params.values()) {
    const length = split === undefined ? 0 : (shape[split] ?? 0);
    if (length % tp === 0) continue;
    throw shapeError("training", `${name} has ${length} columns or rows for ${tp} ranks`);
  }
}

interface Made {
  readonly layers: readonly ShardLayer[];
  /** The same model on one device: where parameters begin follows from it. */
  readonly dense: readonly Layer[];
}

function mlp(options: Extract<ModelOptions, { kind: "mlp" }>): Made {
  return { layers: mlpShards(options), dense: mlpLayers(options) };
}

function transformer(options: Extract<ModelOptions, { kind: "transformer" }>): Made {
  const { kind: _, task: __, ...config } = options;
  const resolved = resolveTransformer(config);
  const dense = transformerLayers(config);
  const [embedding, head] = [dense[0] as Layer, dense.at(-1) as Layer];
  const blocks = Array.from(
    { length: resolved.blocks },
    (_, index) => new BlockShard(index, resolved),
  );
  return { layers: [wholeLayer(embedding), ...blocks, wholeLayer(head)], dense };
}
