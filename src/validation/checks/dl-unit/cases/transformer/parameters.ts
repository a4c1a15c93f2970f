import type { DType, RandomSpec } from "../../../../../runtime/tensor/index.ts";
import { ones } from "../../../../../runtime/tensor/index.ts";
import type { AdamWParameter, DlEngine, EngineTensor } from "../../engine/engine.ts";

export interface ModelSize {
  readonly batch: number;
  readonly positions: number;
  readonly vocabulary: number;
  readonly width: number;
  readonly heads: number;
  readonly hidden: number;
  readonly blocks: number;
  readonly steps: number;
  readonly dtype: DType;
}

/** The parameters of the model by name, each with what the optimizer remembers of it. */
export type Parameters<T> = Readonly<Record<string, AdamWParameter<T>>>;

/** Names and shapes of all parameters, in the order in which they are made. */
export function parameterShapes(size: ModelSize): Readonly<Record<string, readonly number[]>> {
  const { vocabulary, width, hidden, blocks } = size;
  const shapes: Record<string, readonly number[]> = { table: [vocabulary, width] };
  for (let block = 0; block < blocks; block++) {
    for (const name of ["queries", "keys", "values", "projection"]) {
      shapes[`${block}.${name}`] = [width, width];
    }
    shapes[`${block}.up`] = [width, hidden];
    shapes[`${block}.down`] = [hidden, width];
    shapes[`${block}.norm1`] = [width];
    shapes[`${block}.norm2`] = [width];
  }
  shapes["norm"] = [width];
  shapes["head"] = [width, vocabulary];
  return shapes;
}

/** Weights with a deviation of 1/sqrt(inputs), gains of 1. */
export function startParameters<T extends EngineTensor>(
  engine: DlEngine<T>,
  size: ModelSize,
  seed: string,
): Parameters<T> {
  const { dtype } = size;
  return Object.fromEntries(
    Object.entries(parameterShapes(size)).map(([name, shape]) => {
      const [inputs = 1] = shape;
      const spec: RandomSpec = { kind: "symmetric", seed, stream: `transformer ${name}` };
      const isGain = shape.length === 1;
      // Values even over [-1, 1) have a deviation of 1/sqrt(3).
      const values = isGain
        ? engine.upload(ones(shape, { dtype }))
        : engine.scale(engine.random(shape, { spec, dtype }), Math.sqrt(3 / inputs));
      const mean = engine.zeros(shape, "f32");
      const square = engine.zeros(shape, "f32");
      return [name, { values, mean, square }];
    }),
  );
}
