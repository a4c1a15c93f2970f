import { requireShape, tensorOf } from "../ops/operands.ts";
import type { Tensor } from "../tensor.ts";
import { type Params, tensorNamed } from "./layer.ts";
import { momentDType } from "./moment.ts";

export interface SgdOptions {
  readonly learningRate: number;
  /** Share of the last velocity that stays. Default 0. */
  readonly momentum?: number;
  /** Share of a parameter that is added to its gradient. Default 0. */
  readonly weightDecay?: number;
}

/** What a step starts from. The state is `{}` at first: velocities by parameter. */
export interface SgdInputs {
  readonly params: Params;
  readonly gradients: Params;
  readonly state: Params;
}

/**
 * One step of gradient descent: velocity = momentum velocity + (gradient + decay parameter), then
 * parameter - rate velocity. In f64 per element; the velocity is stored as f32 (f64 for f64), the
 * parameter in its dtype, each rounded once. Parameters without a gradient stay as they are. An
 * element depends on its own past alone: equal gradients give equal bits on every device.
 */
export function sgdStep(
  { params, gradients, state }: SgdInputs,
  { learningRate, momentum = 0, weightDecay = 0 }: SgdOptions,
): { readonly params: Params; readonly state: Params } {
  const next: Record<string, Tensor> = { ...params };
  const velocities: Record<string, Tensor> = { ...state };
  for (const [name, gradient] of Object.entries(gradients)) {
    const param = tensorNamed(params, name);
    requireShape("sgdStep", gradient, { shape: param.shape, what: `gradient of ${name}` });
    const values = param.toNumbers();
    const g = gradient.toNumbers();
    const velocity = state[name]?.toNumbers() ?? new Float64Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      const speed = momentum * (velocity[i] as number) + ((g[i] as number) + weightDecay * value);
      velocity[i] = speed;
      values[i] = value - learningRate * speed;
    }
    next[name] = tensorOf(values, param);
    velocities[name] = tensorOf(velocity, { dtype: momentDType(param), shape: param.shape });
  }
  return { params: next, state: momentum === 0 ? state : velocities };
}
