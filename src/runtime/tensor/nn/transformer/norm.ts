import type { DType } from "../../dtype/index.ts";
import {
  layerNorm,
  layerNormBackward,
  type NormParams,
  rmsNorm,
  rmsNormBackward,
} from "../../ops/index.ts";
import type { Tensor } from "../../tensor.ts";
import type { GradientRule } from "../gradient-rule.ts";
import { type ParamSpec, type Params, tensorNamed } from "../layer.ts";

/** A norm as part of a layer: parameters `name.gain` and `name.bias` [width]. */
export interface Norm {
  readonly name: string;
  readonly kind: "layer" | "rms";
  readonly width: number;
  readonly bias: boolean;
  readonly dtype: DType;
}

export function normParams({ name, width, bias, dtype }: Norm): ParamSpec[] {
  const all = (part: string, value: number): ParamSpec => ({
    name: `${name}.${part}`,
    shape: [width],
    dtype,
    init: { kind: "constant", value },
  });
  return bias ? [all("gain", 1), all("bias", 0)] : [all("gain", 1)];
}

export function normForward(norm: Norm, params: Params, x: Tensor): Tensor {
  const own = paramsOf(norm, params);
  return norm.kind === "layer" ? layerNorm(x, own) : rmsNorm(x, own);
}

export function normBackward<G>(
  norm: Norm,
  o: {
    readonly params: Params;
    readonly input: Tensor;
    readonly gradient: Tensor;
    readonly rule: GradientRule<G>;
  },
): { readonly input: Tensor; readonly gradients: Record<string, G> } {
  const { input, gradient, rule } = o;
  const own = paramsOf(norm, o.params);
  const backward = norm.kind === "layer" ? layerNormBackward : rmsNormBackward;
  const done = backward(gradient, input, own);
  const gradients = { [`${norm.name}.gain`]: rule.rows(done.gainTerms, norm.dtype) };
  if (norm.bias) gradients[`${norm.name}.bias`] = rule.rows(gradient, norm.dtype);
  return { input: done.input, gradients };
}

function paramsOf({ name, bias }: Norm, params: Params): NormParams {
  const gain = tensorNamed(params, `${name}.gain`);
  return bias ? { gain, bias: tensorNamed(params, `${name}.bias`) } : { gain };
}
