import { shapeError } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { resolveDim } from "../view.ts";
import { requireShape, tensorOf } from "./operands.ts";

/** Writes the results for one row: `length` values from `start` on, in each input and in `out`. */
export type RowFunction = (row: {
  readonly inputs: readonly Float64Array[];
  readonly out: Float64Array;
  readonly start: number;
  readonly length: number;
}) => void;

/**
 * `fn` of every row along `dim` of tensors of one shape, in f64, each result rounded once to the
 * dtype of the first. A row sees itself alone. Throws E_SHAPE when the shapes differ, when there is
 * no such dimension, or when it has no elements.
 */
export function mapRows(
  operation: string,
  { inputs, dim = -1 }: { readonly inputs: readonly [Tensor, ...Tensor[]]; readonly dim?: number },
  fn: RowFunction,
): Tensor {
  const [{ dtype, shape }] = inputs;
  const along = resolveDim(operation, dim, shape.length);
  for (const input of inputs) requireShape(operation, input, { shape, what: "other operand" });
  const length = shape[along] as number;
  if (length === 0) throw shapeError(operation, `dimension ${along} has no elements`);
  const values = inputs.map((input) => input.transpose(along, -1).toNumbers());
  const out = new Float64Array(inputs[0].size);
  for (let start = 0; start < out.length; start += length)
    fn({ inputs: values, out, start, length });
  const moved = inputs[0].transpose(along, -1).shape;
  const result = tensorOf(out, { dtype, shape: moved }).transpose(along, -1);
  return Tensor.over(result.toRaw(), { dtype, shape });
}
