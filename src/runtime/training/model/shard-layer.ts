import type { Tensor } from "../../tensor/index.ts";
import type { GradientRule, ParamSpec, Params, Saved } from "../../tensor/nn/index.ts";
import type { TrainingAccumulate } from "../options.ts";

/** A parameter of the job, and what a tensor-parallel rank holds of it. */
export interface ShardParam {
  readonly name: string;
  /** Of the whole. */
  readonly shape: readonly number[];
  readonly dtype: ParamSpec["dtype"];
  /** The dimension that is split over `tp`; none when every rank holds the whole. */
  readonly split?: number;
}

/** What a layer on one rank needs from outside its own tensors. */
export interface LayerContext {
  /** Ranks that share the layer. */
  readonly tp: number;
  readonly accumulate: TrainingAccumulate;
  /** The sum of all those ranks' tensors, on each. */
  sum(tensor: Tensor, name: string): Promise<Tensor>;
  /** See `StepLinks`, as for `shared`. */
  computed(op: string, tensor: Tensor): Tensor;
  shared<T extends object>(what: string, inputs: readonly object[], make: () => T): T;
}

export interface ShardForward {
  readonly output: Tensor;
  readonly saved: Saved;
}

export interface ShardBackward<G> {
  /** None for the first layer. */
  readonly input: Tensor | undefined;
  readonly gradients: Readonly<Record<string, G>>;
}

export interface ShardBackwardInputs<G> {
  readonly params: Params;
  readonly saved: Saved;
  readonly gradient: Tensor;
  readonly rule: GradientRule<G>;
}

/** One rank's part of a layer: pure, but for the sums it asks for. */
export interface ShardLayer {
  readonly name: string;
  readonly params: readonly ShardParam[];
  forward(context: LayerContext, params: Params, input: Tensor): Promise<ShardForward>;
  backward<G>(context: LayerContext, inputs: ShardBackwardInputs<G>): Promise<ShardBackward<G>>;
}
