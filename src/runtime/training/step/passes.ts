import assert from "node:assert/strict";
import { type PipelineStep, stepsOfStage } from "../../parallel/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { addGradients, type Params, type Saved } from "../../tensor/nn/index.ts";
import { crossEntropy, crossEntropyBackward } from "../../tensor/ops/index.ts";
import type { StepLinks } from "../links/step-links.ts";
import type { LayerContext, ShardBackward, ShardLayer } from "../model/index.ts";
import type { TaskRows } from "../task/index.ts";
import type { GradientSums } from "./gradient-sums.ts";
import { isFirstStage, isLastStage, type JobPlan } from "./plan.ts";

export interface PassesInputs<G> {
  readonly plan: JobPlan;
  readonly links: StepLinks;
  readonly params: Params;
  readonly sums: GradientSums<G>;
  /** The rows of a micro-batch; asked by the first and the last stage only. */
  readonly rowsOf: (microBatch: number) => TaskRows;
  readonly lossScale: number;
}

export interface PassesResult<G> {
  /** Of this rank's parameters, over its own samples. */
  readonly gradients: Readonly<Record<string, G>>;
  /** Of its own samples, on the last stage. */
  readonly rowLosses: readonly Tensor[];
}

/** All micro-batches forward and back through the layers of one stage, one forward one backward. */
export function runPasses<G>(inputs: PassesInputs<G>): Promise<PassesResult<G>> {
  return new Passes(inputs).run();
}

class Passes<G> {
  readonly #in: PassesInputs<G>;
  readonly #layers: readonly ShardLayer[];
  readonly #context: LayerContext;
  /** By micro-batch; no more than there are stages. */
  readonly #saved = new Map<number, readonly Saved[]>();
  readonly #logits = new Map<number, Tensor>();
  readonly #rowLosses: Tensor[] = [];
  readonly #sent: Promise<void>[] = [];
  #gradients: Readonly<Record<string, G>> = {};

  constructor(inputs: PassesInputs<G>) {
    const { plan, links } = inputs;
    this.#in = inputs;
    this.#layers = plan.stages[links.place.pp.index] ?? [];
    this.#context = {
      tp: links.place.tp.size,
      accumulate: plan.accumulate,
      sum: (tensor, name) => links.allReduce(tensor, { over: ["tp"], name }),
      computed: (op, tensor) => links.computed(op, tensor),
      shared: (what, inputs, make) => links.shared(what, inputs, make),
    };
  }

  async run(): Promise<PassesResult<G>> {
    const { plan, links } = this.#in;
    const { index: stage, size: stages } = links.place.pp;
    const { microBatches } = plan;
    const schedule = { schedule: "1f1b", stages, microBatches, chunks: 1 } as const;
    for (const step of stepsOfStage(stage, schedule)) {
      if (step.pass === "forward") await this.#forward(step);
      else await this.#backward(step);
    }
    // A send ends when it is taken; waiting for it at once would stop both sides.
    await Promise.all(this.#sent);
    return { gradients: this.#gradients, rowLosses: this.#rowLosses };
  }

  async #forward({ microBatch }: PipelineStep): Promise<void> {
    const { links, params, rowsOf } = this.#in;
    const { place } = links;
    const name = `activations ${microBatch}`;
    let output = isFirstStage(place)
      ? rowsOf(microBatch).inputs
      : await links.recv({ stage: place.pp.index - 1, name });
    const saved: Saved[] = [];
    for (const layer of this.#layers) {
      const done = await layer.forward(this.#context, params, output);
      output = done.output;
      saved.push(done.saved);
    }
    this.#saved.set(microBatch, saved);
    if (!isLastStage(place)) {
      this.#sent.push(links.send(output, { stage: place.pp.index + 1, name }));
      return;
    }
    this.#logits.set(microBatch, output);
    this.#rowLosses.push(crossEntropy(output, rowsOf(microBatch).targets).rowLosses);
  }

  async #backward({ microBatch }: PipelineStep): Promise<void> {
    const { links, params, sums } = this.#in;
    const { place } = links;
    const name = `gradients of activations ${microBatch}`;
    let gradient: Tensor | undefined = isLastStage(place)
      ? this.#lossGradient(microBatch)
      : await links.recv({ stage: place.pp.index + 1, name });
    const saved = this.#saved.get(microBatch);
    assert(saved !== undefined, "a micro-batch goes forward before it goes back");
    this.#saved.delete(microBatch);
    for (const [at, layer] of [...this.#layers.entries()].toReversed()) {
      assert(gradient !== undefined, "only the first layer swallows the gradient");
      const { rule } = sums;
      const done: ShardBackward<G> = await layer.backward(this.#context, {
        params,
        saved: saved[at] as Saved,
        gradient,
        rule,
      });
      this.#gradients = addGradients(rule, this.#gradients, done.gradients);
      gradient = done.input;
    }
    if (isFirstStage(place)) return;
    assert(gradient !== undefined, "a stage gives the one before it a gradient");
    this.#sent.push(links.send(gradient, { stage: place.pp.index - 1, name }));
  }

  /** Of the mean over the whole batch, times the loss scale. */
  #lossGradient(microBatch: number): Tensor {
    const logits = this.#logits.get(microBatch);
    assert(logits !== undefined, "the last stage keeps its logits");
    this.#logits.delete(microBatch);
    const { plan, rowsOf, lossScale } = this.#in;
    const normalizer = (plan.batch * plan.task.targetsPerSample) / lossScale;
    return crossEntropyBackward(logits, rowsOf(microBatch).targets, { normalizer });
  }
}
