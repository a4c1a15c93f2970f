import type { DType } from "../dtype/index.ts";
import { type Accumulate, add, matmul } from "../ops/index.ts";
import type { Tensor } from "../tensor.ts";
import type { GradientRule } from "./gradient-rule.ts";
import { type ParamSpec, type Params, tensorNamed } from "./layer.ts";

/** An affine map x W + b as part of a layer. */
export interface Linear {
  /** Its parameters are `name.weight` [inputs, outputs] and `name.bias` [outputs]. */
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  readonly bias: boolean;
  readonly dtype: DType;
  readonly accumulate: Accumulate;
}

/** Weights with deviation 1/sqrt(inputs), biases 0. */
export function linearParams({ name, inputs, outputs, bias, dtype }: Linear): ParamSpec[] {
  const weight: ParamSpec = {
    name: `${name}.weight`,
    shape: [inputs, outputs],
    dtype,
    init: { kind: "normal", deviation: 1 / Math.sqrt(inputs) },
  };
  const zeros = { kind: "constant", value: 0 } as const;
  return bias ? [weight, { name: `${name}.bias`, shape: [outputs], dtype, init: zeros }] : [weight];
}

/** x W, rounded, plus b, rounded. */
export function linearForward(
  { name, bias, accumulate }: Linear,
  params: Params,
  x: Tensor,
): Tensor {
  const product = matmul(x, tensorNamed(params, `${name}.weight`), { accumulate });
  return bias ? add(product, tensorNamed(params, `${name}.bias`)) : product;
}

/** The gradient of the input, g Wᵀ, and those of the parameters by the rule. */
export function linearBackward<G>(
  { name, bias, accumulate, dtype }: Linear,
  o: {
    readonly params: Params;
    readonly input: Tensor;
    readonly gradient: Tensor;
    readonly rule: GradientRule<G>;
  },
): { readonly input: Tensor; readonly gradients: Record<string, G> } {
  const { params, input, gradient, rule } = o;
  const weight = tensorNamed(params, `${name}.weight`);
  const gradients: Record<string, G> = { [`${name}.weight`]: rule.weight(input, gradient) };
  if (bias) gradients[`${name}.bias`] = rule.rows(gradient, dtype);
  return { input: matmul(gradient, weight.transpose(), { accumulate }), gradients };
}
