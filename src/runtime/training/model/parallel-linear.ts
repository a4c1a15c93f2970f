import type { DType, Tensor } from "../../tensor/index.ts";
import type { GradientRule, Params } from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import { add, ExactTensor, matmul, matmulExact } from "../../tensor/ops/index.ts";
import type { LayerContext, ShardParam } from "./shard-layer.ts";

/**
 * How an affine map lies over the tensor-parallel ranks.
 * - `column`: each has some outputs. The input is whole; its gradient is a sum over ranks.
 * - `row`: each has some inputs. The output is a sum over ranks, and whole.
 * - `whole`: every rank does the same.
 */
export type LinearSplit = "column" | "row" | "whole";

export interface ParallelLinear {
  /** Its parameters are `name.weight` and `name.bias`. */
  readonly name: string;
  readonly inputs: number;
  /** Outputs; as a list, the outputs of several maps side by side, each split by itself. */
  readonly outputs: number | readonly [count: number, width: number];
  readonly bias: boolean;
  readonly dtype: DType;
  readonly split: LinearSplit;
}

interface BackwardInputs<G> {
  readonly params: Params;
  readonly input: Tensor;
  readonly gradient: Tensor;
  readonly rule: GradientRule<G>;
  /** False where nobody needs the gradient of the input. @default true */
  readonly wantsInput?: boolean;
}

export function parallelLinearParams(linear: ParallelLinear): readonly ShardParam[] {
  const { name, inputs, bias, dtype, split } = linear;
  const outputs = typeof linear.outputs === "number" ? [linear.outputs] : linear.outputs;
  const weightSplit = { column: outputs.length, row: 0, whole: undefined }[split];
  const weight = { name: `${name}.weight`, shape: [inputs, ...outputs], dtype };
  const offset = { name: `${name}.bias`, shape: [...outputs], dtype };
  const params: ShardParam[] = [
    weightSplit === undefined ? weight : { ...weight, split: weightSplit },
  ];
  if (bias) params.push(split === "column" ? { ...offset, split: outputs.length - 1 } : offset);
  return params;
}

/** x W + b, each rounded once. */
export async function parallelForward(
  linear: ParallelLinear,
  context: LayerContext,
  { params, x }: { readonly params: Params; readonly x: Tensor },
): Promise<Tensor> {
  const weight = weightOf(linear, params);
  const product =
    linear.split === "row"
      ? await summedProduct(context, [x, weight], `sum of ${linear.name}`)
      : context.computed("matmul", matmul(x, weight));
  return linear.bias ? add(product, flat(tensorNamed(params, `${linear.name}.bias`))) : product;
}

/** The gradient of the input, and those of this rank's parameters by the rule. */
export async function parallelBackward<G>(
  linear: ParallelLinear,
  context: LayerContext,
  o: BackwardInputs<G>,
): Promise<{ readonly input: Tensor | undefined; readonly gradients: Record<string, G> }> {
  const { params, input, gradient, rule, wantsInput = true } = o;
  const gradients: Record<string, G> = {
    [`${linear.name}.weight`]: rule.weight(input, gradient),
  };
  if (linear.bias) gradients[`${linear.name}.bias`] = rule.rows(gradient, linear.dtype);
  if (!wantsInput) return { input: undefined, gradients };
  const turned = weightOf(linear, params).transpose();
  const ofInput =
    linear.split === "column"
      ? await summedProduct(context, [gradient, turned], `gradient sum of ${linear.name}`)
      : context.computed("matmul", matmul(gradient, turned));
  return { input: ofInput, gradients };
}

/** A product whose inner dimension lies over the ranks: each has a part of the sum. */
async function summedProduct(
  context: LayerContext,
  [a, b]: readonly [Tensor, Tensor],
  name: string,
): Promise<Tensor> {
  const { dtype } = a;
  if (context.accumulate === "chain") {
    const part = context.computed("matmul", matmul(a, b));
    return context.tp === 1 ? part : context.sum(part, name);
  }
  if (context.tp === 1) {
    return context.computed("matmul", matmul(a, b, { accumulate: "exact" }));
  }
  const limbs = await context.sum(matmulExact(a, b).openLimbs, name);
  // All ranks have got the same sum, and in one process it is the same object.
  const rounded = context.shared(name, [limbs], () =>
    ExactTensor.fromLimbs(limbs, { dtype }).round(dtype),
  );
  return context.computed("matmul", rounded);
}

/** This rank's weight as a matrix: the outputs of several maps follow each other. */
function weightOf({ name }: ParallelLinear, params: Params): Tensor {
  const weight = tensorNamed(params, `${name}.weight`);
  const [inputs = 0, ...outputs] = weight.shape;
  return outputs.length === 1 ? weight : weight.reshape([inputs, size(outputs)]);
}

function flat(bias: Tensor): Tensor {
  return bias.shape.length === 1 ? bias : bias.reshape([size(bias.shape)]);
}

function size(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
