import { full } from "../create.ts";
import { allocateRaw } from "../dtype/index.ts";
import { tensorOf } from "../ops/operands.ts";
import { fillRandom } from "../random/index.ts";
import { sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import type { Layer, ParamSpec, Params } from "./layer.ts";

/**
 * The parameters of layers at the start. Each depends on the seed and its own name alone, so a stage
 * of a pipeline can make just its own. Normal values are drawn in f64, times the deviation, rounded
 * once.
 */
export function initParams(layers: readonly Layer[], seed: string | number): Params {
  const specs = layers.flatMap(({ params }) => params);
  return Object.fromEntries(specs.map((spec) => [spec.name, initParam(spec, seed)]));
}

function initParam({ name, shape, dtype, init }: ParamSpec, seed: string | number): Tensor {
  if (init.kind === "constant") return full(shape, init.value, { dtype });
  const values = allocateRaw("f64", sizeOf(shape)) as Float64Array;
  fillRandom({ kind: "normal", seed, stream: name }, "f64", 0, values.length, values, 0);
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) * init.deviation;
  return tensorOf(values, { dtype, shape });
}
