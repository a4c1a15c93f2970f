import { learning } from "./optimizer-settings.ts";

/** One parameter with a gradient that stays the same. */
export interface ElementSteps {
  readonly value: number;
  readonly gradient: number;
  readonly steps: number;
}

/** A parameter after steps of AdamW, in f64. */
export function adamWElement({ value, gradient, steps }: ElementSteps): number {
  const { learningRate, weightDecay, beta1, beta2, epsilon } = learning;
  let [p, m, s] = [value, 0, 0];
  for (let step = 1; step <= steps; step++) {
    m = beta1 * m + (1 - beta1) * gradient;
    s = beta2 * s + (1 - beta2) * gradient * gradient;
    const mean = m / (1 - beta1 ** step);
    const root = Math.sqrt(s / (1 - beta2 ** step));
    p -= learningRate * (mean / (root + epsilon) + weightDecay * p);
  }
  return p;
}

/** A parameter after steps of gradient descent with momentum, in f64. */
export function sgdElement({ value, gradient, steps }: ElementSteps): number {
  const { learningRate, momentum } = learning;
  let [p, velocity] = [value, 0];
  for (let step = 1; step <= steps; step++) {
    velocity = momentum * velocity + gradient;
    p -= learningRate * velocity;
  }
  return p;
}
