import type { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import { momentDType } from "../../tensor/nn/moment.ts";
import { scale } from "../../tensor/ops/index.ts";
import type { StepLinks } from "../links/step-links.ts";
import { bucketsOf, type GradientSums, partOf } from "./gradient-sums.ts";
import { isFirstStage, isLastStage, type JobPlan } from "./plan.ts";

/** 4 MiB of f64: enough to be worth a call, little enough to be one of several. */
const bucketElementsMax = 2 ** 19;

export interface ReduceInputs<G> {
  readonly plan: JobPlan;
  readonly links: StepLinks;
  readonly params: Params;
  readonly sums: GradientSums<G>;
  readonly gradients: Readonly<Record<string, G>>;
  readonly lossScale: number;
}

/** Gradients over the whole batch, as the optimizer takes them: of this rank's parameters. */
export async function reduceGradients<G>(inputs: ReduceInputs<G>): Promise<Params> {
  const { links, sums } = inputs;
  const own = await withTied(inputs);
  const names = Object.keys(own).toSorted();
  if (links.place.dp.size === 1) {
    return Object.fromEntries(
      names.map((name) => [name, roundedFor(inputs, name, own[name] as G)]),
    );
  }
  const packed = Object.fromEntries(names.map((name) => [name, sums.packed(own[name] as G)]));
  const done: Record<string, Tensor> = {};
  for (const [index, bucket] of bucketsOf(packed, bucketElementsMax).entries()) {
    const name = `gradients ${index}`;
    const numbers = await links.allReduce(bucket.numbers, { over: ["dp"], name });
    const rounded = links.shared(name, [numbers], () => {
      const sizes = bucket.names.map((part) => packed[part]?.size ?? 0);
      return bucket.names.map((part, at) => {
        const sum = sums.unpacked(partOf(numbers, sizes, at), own[part] as G);
        return roundedFor(inputs, part, sum);
      });
    });
    for (const [at, part] of bucket.names.entries()) done[part] = rounded[at] as Tensor;
  }
  return done;
}

/** The first and the last stage each have a part of the gradient of what they share. */
async function withTied<G>(inputs: ReduceInputs<G>): Promise<Readonly<Record<string, G>>> {
  const { plan, links, sums, gradients } = inputs;
  const isFirst = isFirstStage(links.place);
  if (plan.tied.size === 0 || !(isFirst || isLastStage(links.place))) return gradients;
  const all: Record<string, G> = { ...gradients };
  const stage = isFirst ? links.place.pp.size - 1 : 0;
  for (const tied of [...plan.tied].toSorted()) {
    const name = `tied ${tied}`;
    const own = gradients[tied] as G;
    const sent = links.send(sums.packed(own), { stage, name });
    const others = sums.unpacked(await links.recv({ stage, name }), own);
    await sent;
    // In one order on both sides, so that both get the same bits.
    all[tied] = isFirst ? sums.rule.plus(own, others) : sums.rule.plus(others, own);
  }
  return all;
}

function roundedFor<G>(
  { sums, params, lossScale }: ReduceInputs<G>,
  name: string,
  gradient: G,
): Tensor {
  const param = tensorNamed(params, name);
  const rounded = sums.rounded(gradient, momentDType(param)).reshape(param.shape);
  // A power of two: nothing is rounded but what is too small for the format.
  return lossScale === 1 ? rounded : scale(rounded, 1 / lossScale);
}
