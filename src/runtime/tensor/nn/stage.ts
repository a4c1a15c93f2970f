import assert from "node:assert/strict";
import type { Tensor } from "../tensor.ts";
import type { GradientRule } from "./gradient-rule.ts";
import type { Layer, LayerBackward, Params, Saved } from "./layer.ts";

/** What a stage gives forward: its output, and what each of its layers keeps. */
export interface StageForward {
  readonly output: Tensor;
  readonly saved: readonly Saved[];
}

/** What a stage gives back. */
export interface StageBackward<G> {
  /** For the stage before; none when this one reads the tokens. */
  readonly input: Tensor | undefined;
  readonly gradients: Readonly<Record<string, G>>;
}

/**
 * Runs layers one after the other. A whole model is one stage; a pipeline gives each device some of
 * the layers, and the bits are the same.
 */
export function stageForward(
  layers: readonly Layer[],
  params: Params,
  input: Tensor,
): StageForward {
  let output = input;
  const saved: Saved[] = [];
  for (const layer of layers) {
    const done = layer.forward(params, output);
    output = done.output;
    saved.push(done.saved);
  }
  return { output, saved };
}

/** Runs the layers' backward passes from the last to the first. */
export function stageBackward<G>(
  layers: readonly Layer[],
  o: {
    readonly params: Params;
    readonly saved: readonly Saved[];
    readonly gradient: Tensor;
    readonly rule: GradientRule<G>;
  },
): StageBackward<G> {
  assert(o.saved.length === layers.length, "every layer kept something in the forward pass");
  let gradients: Readonly<Record<string, G>> = {};
  let gradient: Tensor | undefined = o.gradient;
  for (const [index, layer] of [...layers.entries()].toReversed()) {
    assert(gradient !== undefined, "only the first layer may swallow the gradient");
    const saved = o.saved[index] as Saved;
    const done: LayerBackward<G> = layer.backward({
      params: o.params,
      saved,
      gradient,
      rule: o.rule,
    });
    gradients = addGradients(o.rule, gradients, done.gradients);
    gradient = done.input;
  }
  return { input: gradient, gradients };
}

/**
 * The gradients of both: those of the same name added by the rule. For the stages of a pipeline that
 * share a tied weight, and for micro-batches in the order they are given.
 */
export function addGradients<G>(
  rule: GradientRule<G>,
  one: Readonly<Record<string, G>>,
  other: Readonly<Record<string, G>>,
): Readonly<Record<string, G>> {
  const sum: Record<string, G> = { ...one };
  for (const [name, gradient] of Object.entries(other)) {
    const before = sum[name];
    sum[name] = before === undefined ? gradient : rule.plus(before, gradient);
  }
  return sum;
}

/**
 * The layers cut into `count` stages of neighbours whose lengths differ by at most one, longer ones
 * first. There must be at least as many layers as stages.
 */
export function splitStages(
  layers: readonly Layer[],
  count: number,
): readonly (readonly Layer[])[] {
  assert(
    Number.isInteger(count) && count >= 1 && count <= layers.length,
    `${layers.length} layers make 1 to ${layers.length} stages`,
  );
  const base = Math.floor(layers.length / count);
  const longer = layers.length % count;
  return Array.from({ length: count }, (_, stage) => {
    const start = stage * base + Math.min(stage, longer);
    return layers.slice(start, start + base + (stage < longer ? 1 : 0));
  });
}
