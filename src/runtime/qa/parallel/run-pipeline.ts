import assert from "node:assert/strict";
import { type Mesh, type Rank, spmd } from "../../dist/index.ts";
import { type PipelineStep, type ScheduleOptions, stepsOfStage } from "../../parallel/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import {
  addGradients,
  type Batch,
  exactGradients,
  type Layer,
  type Params,
  type Saved,
  splitStages,
  stageBackward,
  stageForward,
} from "../../tensor/nn/index.ts";
import {
  crossEntropy,
  crossEntropyBackward,
  type ExactTensor,
  totalLoss,
} from "../../tensor/ops/index.ts";

/** A backward pass costs about two forward passes. */
const forwardUs = 10_000;
const backwardUs = 2 * forwardUs;

export interface PipelineRun {
  readonly mesh: Mesh;
  readonly layers: readonly Layer[];
  readonly params: Params;
  /** Each with the normalizer of the whole batch. */
  readonly microBatches: readonly Batch[];
  readonly schedule: ScheduleOptions;
}

export interface PipelineResult {
  readonly loss: number;
  readonly gradients: Readonly<Record<string, ExactTensor>>;
  /** The share of all devices' time in which they waited, in virtual time. */
  readonly bubble: number;
}

type Gradients = Readonly<Record<string, ExactTensor>>;

interface StageResult {
  readonly gradients: Gradients;
  readonly rowLosses: readonly Tensor[];
  readonly busyUs: number;
  readonly endUs: number;
}

/** Trains one step on a pipeline of ranks that know only their own layers. */
export async function runPipeline(run: PipelineRun): Promise<PipelineResult> {
  const stretches = splitStages(run.layers, run.schedule.stages * run.schedule.chunks);
  const results = await spmd(run.mesh, (rank) => new Stage(run, stretches, rank).work());
  const makespanUs = Math.max(...results.map(({ endUs }) => endUs));
  const busyUs = results.reduce((sum, one) => sum + one.busyUs, 0);
  const normalizer = run.microBatches[0]?.normalizer;
  return {
    loss: totalLoss(
      results.flatMap(({ rowLosses }) => rowLosses),
      normalizer === undefined ? {} : { normalizer },
    ),
    gradients: results.reduce<Gradients>(
      (sum, { gradients }) => addGradients(exactGradients, sum, gradients),
      {},
    ),
    bubble: 1 - busyUs / (makespanUs * results.length),
  };
}

/** One rank of the pipeline. */
class Stage {
  readonly #run: PipelineRun;
  readonly #stretches: readonly (readonly Layer[])[];
  readonly #rank: Rank;
  readonly #kept = new Map<string, readonly Saved[]>();
  readonly #logits = new Map<number, Tensor>();
  readonly #rowLosses: Tensor[] = [];
  readonly #sent: Promise<void>[] = [];
  #gradients: Gradients = {};
  #busyUs = 0;

  constructor(run: PipelineRun, stretches: readonly (readonly Layer[])[], rank: Rank) {
    this.#run = run;
    this.#stretches = stretches;
    this.#rank = rank;
  }

  async work(): Promise<StageResult> {
    for (const step of stepsOfStage(this.#rank.index, this.#run.schedule)) {
      if (step.pass === "forward") await this.#forward(step);
      else await this.#backward(step);
    }
    const endUs = this.#rank.nowUs;
    // A send ends when it is taken; waiting for it at once would stop both sides.
    await Promise.all(this.#sent);
    return { gradients: this.#gradients, rowLosses: this.#rowLosses, busyUs: this.#busyUs, endUs };
  }

  async #forward(step: PipelineStep): Promise<void> {
    const place = this.#placeOf(step);
    const batch = this.#batch(step);
    const input = place === 0 ? batch.inputs : await this.#receive(place - 1, step, "activations");
    const { output, saved } = stageForward(this.#layers(place), this.#run.params, input);
    this.#compute(forwardUs);
    this.#kept.set(keyOf(step), saved);
    if (place < this.#stretches.length - 1) this.#send(output, place + 1, step, "activations");
    else {
      this.#logits.set(step.microBatch, output);
      this.#rowLosses.push(crossEntropy(output, batch.targets, normalizerOf(batch)).rowLosses);
    }
  }

  async #backward(step: PipelineStep): Promise<void> {
    const place = this.#placeOf(step);
    const isLast = place === this.#stretches.length - 1;
    const gradient = isLast
      ? this.#lossGradient(step)
      : await this.#receive(place + 1, step, "gradients");
    const saved = this.#kept.get(keyOf(step));
    assert(saved !== undefined, "the forward pass of a micro-batch comes before its backward pass");
    this.#kept.delete(keyOf(step));
    const { params } = this.#run;
    const rule = exactGradients;
    const back = stageBackward(this.#layers(place), { params, saved, gradient, rule });
    this.#compute(backwardUs);
    this.#gradients = addGradients(rule, this.#gradients, back.gradients);
    if (place > 0 && back.input !== undefined) this.#send(back.input, place - 1, step, "gradients");
  }

  #lossGradient(step: PipelineStep): Tensor {
    const logits = this.#logits.get(step.microBatch);
    assert(logits !== undefined, "the last stage keeps its logits");
    this.#logits.delete(step.microBatch);
    const batch = this.#batch(step);
    return crossEntropyBackward(logits, batch.targets, normalizerOf(batch));
  }

  #send(tensor: Tensor, place: number, step: PipelineStep, what: string): void {
    const tag = `${what} ${step.microBatch} of ${Math.max(place, this.#placeOf(step))}`;
    this.#sent.push(this.#rank.send(tensor, this.#deviceOf(place), { tag }));
  }

  #receive(place: number, step: PipelineStep, what: string): Promise<Tensor> {
    const tag = `${what} ${step.microBatch} of ${Math.max(place, this.#placeOf(step))}`;
    return this.#rank.recv(this.#deviceOf(place), { tag });
  }

  #compute(timeUs: number): void {
    const share = timeUs / this.#run.schedule.chunks;
    this.#rank.work(share);
    this.#busyUs += share;
  }

  #batch({ microBatch }: PipelineStep): Batch {
    const batch = this.#run.microBatches[microBatch];
    assert(batch !== undefined, "a schedule names micro-batches that exist");
    return batch;
  }

  #layers(place: number): readonly Layer[] {
    return this.#stretches[place] ?? [];
  }

  /** Stretches go round the devices: chunk 1 of device 0 follows chunk 0 of the last device. */
  #placeOf({ chunk }: PipelineStep): number {
    return chunk * this.#run.schedule.stages + this.#rank.index;
  }

  #deviceOf(place: number): number {
    return place % this.#run.schedule.stages;
  }
}

function keyOf({ microBatch, chunk }: PipelineStep): string {
  return `${microBatch}/${chunk}`;
}

function normalizerOf({ normalizer }: Batch): { readonly normalizer?: number } {
  return normalizer === undefined ? {} : { normalizer };
}
