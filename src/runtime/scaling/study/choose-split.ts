import { type StepQuery, stepTime } from "../step/index.ts";
import { memoryNeeded, memoryOf, type Split, type SplitRule } from "../workload/index.ts";

const tensorMax = 16;
const pipelineMax = 64;
const virtualStages = [1, 2, 4] as const;

/** A division of the devices and the memory it takes, or why there is none. */
export type ChosenSplit =
  | { readonly split: Split; readonly memory: SplitMemory }
  | { readonly reason: string };

export interface SplitMemory {
  readonly needBytes: number;
  /** Absent for a GPU whose memory is not known. */
  readonly haveBytes?: number;
  /** Absent where that cannot be told. */
  readonly fits?: boolean;
}

/** The division of a workload's rules, or the fastest that fits the memory of the devices. */
export function chooseSplit(query: Omit<StepQuery, "split" | "without">): ChosenSplit {
  const { devices, workload } = query;
  if (workload.split !== "auto") return byRules(query, workload.split);
  const candidates = splitsOf(query).map((split) => ({ split, memory: memoryFor(query, split) }));
  const fitting = candidates.filter(({ memory }) => memory.fits !== false);
  let best: { readonly chosen: ChosenSplit; readonly cost: number } | undefined;
  for (const chosen of fitting.length > 0 ? fitting : candidates) {
    // Where nothing fits, what comes closest is shown, and marked.
    const cost =
      fitting.length > 0
        ? stepTime({ ...query, split: chosen.split }).timeS
        : chosen.memory.needBytes;
    if (best === undefined || cost < best.cost) best = { chosen, cost };
  }
  return best?.chosen ?? { reason: `${devices} devices cannot be divided` };
}

function byRules(
  query: Omit<StepQuery, "split" | "without">,
  rules: readonly SplitRule[],
): ChosenSplit {
  const { devices, workload } = query;
  const rule = rules.find(({ upTo }) => upTo === undefined || devices <= upTo);
  if (rule === undefined) return { reason: `no rule of \`split\` is for ${devices} devices` };
  const { tensor, pipeline, virtualStages: stages = 1 } = rule;
  const together = tensor * pipeline;
  const { micro } = workload.batch;
  if (devices % together !== 0) {
    return {
      reason: `${tensor} x ${pipeline} ranks of a replica do not divide ${devices} devices`,
    };
  }
  if (workload.model.layers % (pipeline * stages) !== 0) {
    const parts = `${pipeline} stages of ${stages}`;
    return { reason: `${workload.model.layers} layers cannot be cut into ${parts}` };
  }
  const split = { tensor, pipeline, data: devices / together, virtualStages: stages, micro };
  return { split, memory: memoryFor(query, split) };
}

function memoryFor({ workload, topology }: Pick<StepQuery, "workload" | "topology">, split: Split) {
  const needBytes = memoryNeeded(workload, split);
  const haveBytes = memoryOf(topology.gpu);
  return haveBytes === undefined
    ? { needBytes }
    : { needBytes, haveBytes, fits: needBytes <= haveBytes };
}

/** Every division into whole parts: tensor parallelism inside a domain, stages of whole layers. */
function splitsOf(query: Omit<StepQuery, "split" | "without">): readonly Split[] {
  const { devices, workload, topology, kind } = query;
  const { layers, hidden } = workload.model;
  const { batch } = workload;
  const sequences = kind === "strong" ? batch.global : batch.perDevice * devices;
  const tensors = divisors(devices, Math.min(tensorMax, topology.domainGpus)).filter(
    (tensor) => hidden % tensor === 0,
  );
  return tensors.flatMap((tensor) =>
    divisors(devices / tensor, pipelineMax)
      .filter((pipeline) => layers % pipeline === 0)
      .flatMap((pipeline) => {
        const data = devices / (tensor * pipeline);
        const micro = microFor(batch.micro, sequences / data);
        const micros = Math.ceil(sequences / (data * micro));
        return virtualStages
          .filter((stages) => stages === 1 || interleaves({ pipeline, micros, layers, stages }))
          .map((stages) => ({ tensor, pipeline, data, virtualStages: stages, micro }));
      }),
  );
}

/** The largest halving of the wanted micro-batch of which every replica gets one. */
function microFor(wanted: number, sequencesOfReplica: number): number {
  let micro = wanted;
  while (micro > 1 && micro > sequencesOfReplica) micro = Math.floor(micro / 2);
  return micro;
}

function interleaves(options: {
  readonly pipeline: number;
  readonly micros: number;
  readonly layers: number;
  readonly stages: number;
}): boolean {
  const { pipeline, micros, layers, stages } = options;
  return pipeline > 1 && micros % pipeline === 0 && layers % (pipeline * stages) === 0;
}

function divisors(of: number, max: number): readonly number[] {
  const candidates = Array.from({ length: Math.min(of, max) }, (_, index) => index + 1);
  return candidates.filter((candidate) => of % candidate === 0);
}
