/** How the optimizers of the cases are set. The betas and epsilon are AdamW's usual ones. */
export const learning = {
  learningRate: 0.01,
  weightDecay: 0.01,
  momentum: 0.9,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
} as const;
