import assert from "node:assert/strict";
import type { DType } from "../dtype/index.ts";
import type { Tensor } from "../tensor.ts";
import type { GradientRule } from "./gradient-rule.ts";

/** The tensors a model has learnt, by name. A plain record: it can be saved, sent and compared. */
export type Params = Readonly<Record<string, Tensor>>;

/** What a forward pass keeps for the backward pass, by name within its layer. */
export type Saved = Readonly<Record<string, Tensor>>;

/** A tensor that a layer needs, and how it begins. */
export interface ParamSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** `normal`: random with this standard deviation, by seed and name. `constant`: all the same. */
  readonly init:
    | { readonly kind: "normal"; readonly deviation: number }
    | { readonly kind: "constant"; readonly value: number };
}

/** What a layer gives forward. */
export interface LayerForward {
  readonly output: Tensor;
  readonly saved: Saved;
}

/** What a layer's backward pass starts from. */
export interface LayerBackwardInputs<G> {
  readonly params: Params;
  readonly saved: Saved;
  /** The gradient of the layer's output. */
  readonly gradient: Tensor;
  readonly rule: GradientRule<G>;
}

/** What a layer gives back. */
export interface LayerBackward<G> {
  /** The gradient of the layer's input; none for the layer that reads tokens. */
  readonly input: Tensor | undefined;
  readonly gradients: Readonly<Record<string, G>>;
}

/**
 * A part of a model that a pipeline can put on a device of its own: pure functions of parameters
 * and input. Two layers may name the same parameter (tied weights); its gradient is then the sum.
 */
export interface Layer {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  forward(params: Params, input: Tensor): LayerForward;
  backward<G>(inputs: LayerBackwardInputs<G>): LayerBackward<G>;
}

/** A tensor that must be in the record; it is not when the record is another model's. */
export function tensorNamed(tensors: Readonly<Record<string, Tensor>>, name: string): Tensor {
  const tensor = tensors[name];
  assert(tensor !== undefined, `there is no tensor ${name} in this record`);
  return tensor;
}
