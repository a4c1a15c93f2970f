import { createRng } from "../../../platform/rng/index.ts";
import { fromValues, random, type Tensor } from "../../tensor/index.ts";
import {
  type Batch,
  initParams,
  type Layer,
  mlpLayers,
  type Params,
} from "../../tensor/nn/index.ts";

export interface TaskOptions {
  readonly seed: string;
  /** Affine maps of the model; a pipeline needs one for each stretch. */
  readonly layers: number;
  readonly rows: number;
}

/** A small model and a batch for it, the same for a seed wherever it is cut. */
export interface ExampleTask {
  readonly layers: readonly Layer[];
  readonly params: Params;
  readonly batch: Batch;
}

const features = 7;
const width = 9;
const classes = 5;

export function exampleTask({ seed, layers: count, rows }: TaskOptions): ExampleTask {
  const hidden = Array.from({ length: count - 1 }, () => width);
  const layers = mlpLayers({ inputs: features, hidden, outputs: classes });
  const labels = createRng(seed).stream("qa", "labels");
  const targets = Int32Array.from({ length: rows }, () => labels.int(classes));
  const inputs = random([rows, features], { spec: { kind: "normal", seed, stream: "features" } });
  return {
    layers,
    params: initParams(layers, seed),
    batch: { inputs, targets: fromValues(targets, { dtype: "i32" }), normalizer: rows },
  };
}

/** Neighbouring rows of a batch; the normalizer stays that of the whole. */
export function cutBatch({ inputs, targets, normalizer }: Batch, parts: number): Batch[] {
  const rows = targets.size;
  return Array.from({ length: parts }, (_, part) => {
    const start = Math.floor((part * rows) / parts);
    const stop = Math.floor(((part + 1) * rows) / parts);
    const cut = (all: Tensor) =>
      all.slice([{ start, stop }, ...all.shape.slice(1).map(() => null)]);
    const whole = normalizer === undefined ? {} : { normalizer };
    return { inputs: cut(inputs), targets: cut(targets), ...whole };
  });
}
