import { zeros } from "../../tensor/index.ts";
import { adamWStep, type Params, sgdStep } from "../../tensor/nn/index.ts";
import { momentDType } from "../../tensor/nn/moment.ts";
import type { OptimizerOptions } from "../options.ts";

/** What an optimizer remembers of one rank's parameters. */
export interface OptimizerShard {
  /** Steps that changed parameters. */
  readonly step: number;
  /** By what they are (`means`, `squares`, `velocities`), then by parameter. */
  readonly moments: Readonly<Record<string, Params>>;
}

export interface OptimizerInputs {
  readonly params: Params;
  readonly gradients: Params;
  readonly state: OptimizerShard;
}

/** An optimizer works element by element, so a rank steps what it holds. */
export interface Optimizer {
  /** Names of its moments. */
  readonly moments: readonly string[];
  step(inputs: OptimizerInputs): { readonly params: Params; readonly state: OptimizerShard };
}

export function createOptimizer(options: OptimizerOptions): Optimizer {
  return options.kind === "adamW" ? adamW(options) : sgd(options);
}

/** Moments before the first step: zeros, so that a checkpoint always has the same tensors. */
export function startOf({ moments }: Optimizer, params: Params): OptimizerShard {
  const still = () =>
    Object.fromEntries(
      Object.entries(params).map(([name, param]) => [
        name,
        zeros(param.shape, { dtype: momentDType(param) }),
      ]),
    );
  return { step: 0, moments: Object.fromEntries(moments.map((moment) => [moment, still()])) };
}

function adamW(options: Extract<OptimizerOptions, { kind: "adamW" }>): Optimizer {
  return {
    moments: ["means", "squares"],
    step: ({ params, gradients, state }) => {
      const { means = {}, squares = {} } = state.moments;
      const before = { step: state.step, means, squares };
      const done = adamWStep({ params, gradients, state: before }, options);
      const { step, ...moments } = done.state;
      return { params: done.params, state: { step, moments } };
    },
  };
}

function sgd(options: Extract<OptimizerOptions, { kind: "sgd" }>): Optimizer {
  const hasMomentum = (options.momentum ?? 0) !== 0;
  return {
    moments: hasMomentum ? ["velocities"] : [],
    step: ({ params, gradients, state }) => {
      const { velocities = {} } = state.moments;
      const done = sgdStep({ params, gradients, state: velocities }, options);
      const moments = hasMomentum ? { velocities: done.state } : {};
      return { params: done.params, state: { step: state.step + 1, moments } };
    },
  };
}
