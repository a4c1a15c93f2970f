import assert from "node:assert/strict";
import { type Workload, workloadError } from "../workload/index.ts";
import { type Communication, communicationOf } from "./communication.ts";
import { expectedMax } from "./expected-max.ts";
import { type Knob, type StepPart, type StepQuery, type StepTime, stepParts } from "./types.ts";

/** Bytes an optimizer reads and writes for each weight: master, two moments, gradient, weight. */
const optimizerTraffic = 30;
/** Collectives of a layer: two in the forward pass, two in the backward. */
const pairsForward = 2;
const pairsBackward = 2;

/**
 * One training step by the model:
 * compute + tensor + pipeline + bubble + exposed data parallelism + checkpoint + straggler + serial.
 *
 * @param communication of the same query, where it is known already.
 * @throws TesseraError where the GPU has no peak for the dtype, E_TOPOLOGY where a group needs a
 * network and there is none.
 */
export function stepTime(
  query: StepQuery,
  communication: Communication = communicationOf(query),
): StepTime {
  const { workload, split, devices } = query;
  assert(split.tensor * split.pipeline * split.data === devices, "the division uses every device");
  const has = (knob: Knob) => !(query.without?.has(knob) ?? false);
  const sequences = sequencesOf(query);
  const exact = sequences / (split.data * split.micro);
  const micros = has("remainder") ? Math.ceil(exact - 1e-9) : exact;
  const one = microBatch(query, communication, has("kernels"));
  const stages = has("bubble") ? (split.pipeline - 1) / split.virtualStages : 0;
  const { overlap } = workload;
  const optimizerS = optimizerOf(query);
  const computeS = micros * one.computeS;
  const skew = has("skew") ? workload.skew * expectedMax(devices) : 0;
  const partsS: Record<StepPart, number> = {
    compute: computeS + optimizerS.shared,
    tensor: micros * one.tensorS,
    pipeline: micros * 2 * split.virtualStages * (1 - overlap.pipeline) * communication.sendS,
    bubble: stages * (one.computeS + one.tensorS),
    data: exposedData(query, communication, { computeS: one.computeS, micros }),
    checkpoint: has("checkpoint") ? checkpointS(query) : 0,
    straggler: skew * computeS,
    serial: has("serial") ? workload.serialMs / 1e3 + optimizerS.repeated : 0,
  };
  const timeS = stepParts.reduce((sum, part) => sum + partsS[part], 0);
  const tokens = sequences * workload.model.sequence;
  const flops = tokens * flopsPerToken(workload);
  return {
    timeS,
    partsS,
    sequences,
    tokens,
    modelFlopsShare: flops / (devices * peakFlops(query) * timeS),
  };
}

/** Sequences of one step of all devices together. */
function sequencesOf({ kind, devices, workload }: StepQuery): number {
  return kind === "strong" ? workload.batch.global : workload.batch.perDevice * devices;
}

/** Forward and backward for one token, without anything computed twice: 6P + 12·L·h·s. */
function flopsPerToken({ model }: Workload): number {
  return 6 * model.parameters + 12 * model.layers * model.hidden * model.sequence;
}

function peakFlops({ topology, workload }: StepQuery): number {
  const { compute } = workload.precision;
  const tflops = topology.gpu.peakTflops[compute];
  if (tflops === undefined) {
    throw workloadError(workload.name, `${topology.gpu.name} has no rate for ${compute}.`);
  }
  return tflops * 1e12;
}

/** One micro-batch on one stage: its arithmetic, and the collectives that do not hide behind it. */
function microBatch(query: StepQuery, communication: Communication, withKernels: boolean) {
  const { workload, split } = query;
  const { model, kernels, overlap } = workload;
  // Forward is a third; computing it again makes four thirds of the whole.
  const passes = kernels.recompute === "full" ? 4 : 3;
  const forward = (split.micro * model.sequence * flopsPerToken(workload)) / 3;
  const rate = peakFlops(query) * kernels.peakShare;
  const layers = model.layers / split.pipeline;
  const launchS = withKernels ? (passes * layers * kernels.layerUs) / 1e6 : 0;
  const pairs = pairsBackward + pairsForward * (passes - 2);
  return {
    computeS: (passes * forward) / (split.tensor * split.pipeline) / rate + launchS,
    tensorS: (1 - overlap.tensor) * layers * pairs * communication.tensorPairS,
  };
}

/** What is left of gradients and weights once the passes they may hide behind are over. */
function exposedData(
  { workload, split }: StepQuery,
  { gradientsS, weightsS, buckets }: Communication,
  { computeS, micros }: { readonly computeS: number; readonly micros: number },
): number {
  const { overlap, zero } = workload;
  const { pipeline, virtualStages } = split;
  // Interleaved stages finish part after part, each a whole round of micro-batches before the next.
  const rounds = Math.max(1, (pipeline * (virtualStages - 1)) / virtualStages);
  // The last bucket is complete only when the backward pass is, so it never hides.
  const beyond = (timeS: number, windowS: number) =>
    Math.max(timeS / buckets, timeS - overlap.data * windowS);
  const gradients = beyond(gradientsS, (rounds * 2 * computeS) / 3);
  if (zero < 3) return gradients + beyond(weightsS, (rounds * computeS) / 3);
  return gradients + micros * beyond(2 * weightsS, computeS);
}

/** The optimizer's pass over its state: the part that devices share, and what each repeats. */
function optimizerOf({ workload, split, topology, devices }: StepQuery) {
  const { parameters } = workload.model;
  const held = parameters / (split.tensor * split.pipeline * (workload.zero > 0 ? split.data : 1));
  const secondsOf = (weights: number) =>
    (weights * optimizerTraffic) / (topology.gpu.hbmGBps * 1e9);
  const shared = secondsOf(parameters / devices);
  return { shared, repeated: secondsOf(held) - shared };
}

function checkpointS({ workload, topology, devices }: StepQuery): number {
  const { everySteps, bytesPerParameter, storageGBps, nodeGBps, blockingShare } =
    workload.checkpoint;
  if (everySteps === 0) return 0;
  const nodes = Math.ceil(devices / topology.gpusPerNode);
  const rate = Math.min(storageGBps, nodes * nodeGBps) * 1e9;
  return (blockingShare * workload.model.parameters * bytesPerParameter) / rate / everySteps;
}
