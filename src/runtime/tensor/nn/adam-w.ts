import { wholePower } from "../math/whole-power.ts";
import { requireShape, tensorOf } from "../ops/operands.ts";
import type { Tensor } from "../tensor.ts";
import { type Params, tensorNamed } from "./layer.ts";
import { momentDType } from "./moment.ts";

export interface AdamWOptions {
  readonly learningRate: number;
  /** Share of the mean gradient that stays. Default 0.9. */
  readonly beta1?: number;
  /** Share of the mean square that stays. Default 0.999. */
  readonly beta2?: number;
  /** Added to the root of the mean square. Default 1e-8. */
  readonly epsilon?: number;
  /** Share of a parameter, times the learning rate, that is taken away in a step. Default 0.01. */
  readonly weightDecay?: number;
}

/** What AdamW remembers between steps: plain tensors, to be saved with the parameters. */
export interface AdamWState {
  /** Steps done. */
  readonly step: number;
  /** Running means of gradients. */
  readonly means: Params;
  /** Running means of their squares. */
  readonly squares: Params;
}

/** The state before the first step. */
export const adamWStart: AdamWState = { step: 0, means: {}, squares: {} };

export interface AdamWInputs {
  readonly params: Params;
  readonly gradients: Params;
  readonly state: AdamWState;
}

/**
 * One step of AdamW. In f64 per element, from the means as they are before rounding:
 * p - rate (m / (1 - beta1^t) / (sqrt(s / (1 - beta2^t)) + epsilon) + decay p). The means are stored
 * as f32 (f64 for f64), the parameter in its dtype, each rounded once. Parameters without a gradient
 * stay as they are. An element depends on its own past alone: equal gradients give equal bits, on
 * every device and after a restart from a saved state.
 */
export function adamWStep(
  { params, gradients, state }: AdamWInputs,
  options: AdamWOptions,
): { readonly params: Params; readonly state: AdamWState } {
  const step = state.step + 1;
  const rule = ruleOf(options, step);
  const next: Record<string, Tensor> = { ...params };
  const means: Record<string, Tensor> = { ...state.means };
  const squares: Record<string, Tensor> = { ...state.squares };
  for (const [name, gradient] of Object.entries(gradients)) {
    const param = tensorNamed(params, name);
    const { shape } = param;
    requireShape("adamWStep", gradient, { shape, what: `gradient of ${name}` });
    const mean = state.means[name]?.toNumbers() ?? new Float64Array(param.size);
    const square = state.squares[name]?.toNumbers() ?? new Float64Array(param.size);
    const values = param.toNumbers();
    rule({ values, gradient: gradient.toNumbers(), mean, square });
    const dtype = momentDType(param);
    next[name] = tensorOf(values, param);
    means[name] = tensorOf(mean, { dtype, shape });
    squares[name] = tensorOf(square, { dtype, shape });
  }
  return { params: next, state: { step, means, squares } };
}

interface Element {
  readonly values: Float64Array;
  readonly gradient: Float64Array;
  readonly mean: Float64Array;
  readonly square: Float64Array;
}

/** The step as a function that changes the arrays it is given. */
function ruleOf(options: AdamWOptions, step: number): (arrays: Element) => void {
  const { learningRate, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0.01 } = options;
  const meanScale = 1 - wholePower(beta1, step);
  const squareScale = 1 - wholePower(beta2, step);
  return ({ values, gradient, mean, square }) => {
    for (let i = 0; i < values.length; i++) {
      const g = gradient[i] as number;
      const m = beta1 * (mean[i] as number) + (1 - beta1) * g;
      const s = beta2 * (square[i] as number) + (1 - beta2) * (g * g);
      const p = values[i] as number;
      const direction = m / meanScale / (Math.sqrt(s / squareScale) + epsilon);
      mean[i] = m;
      square[i] = s;
      values[i] = p - learningRate * (direction + weightDecay * p);
    }
  };
}
