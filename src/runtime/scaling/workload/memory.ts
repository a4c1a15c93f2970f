import type { Gpu } from "../../dist/topology/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Split, Workload } from "./types.ts";

/** Data sheets; what is not here is not known. */
const memoryGB: Readonly<Record<string, number>> = {
  H100: 80,
  H200: 141,
  B200: 180,
  GB200: 186,
  GB300: 279,
  MI355X: 288,
};
/** Left for the library, the context and what fragments. */
const usableShare = 0.92;
/** Master weights and two moments in f32. */
const optimizerBytes = 12;
/** Bytes a layer keeps for each value of the hidden state until its backward pass (Korthikanti et al. 2022). */
const keptBytes = 34;
const keptWhenRecomputed = 2;

/** What a device can hold, in bytes; undefined for a GPU that is not known. */
export function memoryOf({ name }: Gpu): number | undefined {
  const known = memoryGB[name];
  return known === undefined ? undefined : known * 1e9 * usableShare;
}

/** What a device of this division has to hold, in bytes. */
export function memoryNeeded(
  workload: Workload,
  { tensor, pipeline, data, virtualStages, micro }: Split,
): number {
  const { model, precision, kernels, zero } = workload;
  const weights = model.parameters / (tensor * pipeline);
  const divided = (from: number) => (zero >= from ? data : 1);
  const state =
    weights *
    (dtypeInfo(precision.compute).bytes / divided(3) +
      dtypeInfo(precision.gradients).bytes / divided(2) +
      optimizerBytes / divided(1));
  const kept = kernels.recompute === "full" ? keptWhenRecomputed : keptBytes;
  const values = (micro * model.sequence * model.hidden) / tensor;
  // The first stage keeps a micro-batch for each stage behind it, interleaved stages a little more.
  const inFlight =
    pipeline === 1 ? 1 : pipeline + (virtualStages > 1 ? pipeline - 1 : 0) / virtualStages;
  const activations = (model.layers / pipeline) * values * kept * inFlight;
  const words = (6 * micro * model.sequence * model.vocabulary) / tensor;
  return state + activations + words;
}
