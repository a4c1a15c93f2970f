import type { Step } from "../../kernels/index.ts";
import type { NarrowFloat } from "../exact/certificate.ts";
import { judgedBitsAt } from "./judged.ts";
import {
  chunkElements,
  MemoryPlan,
  reserveSlots,
  roundUp,
  slotStrideBytes,
  slotsMax,
} from "./memory.ts";
import { randomKernels, randomSourcesMax } from "./random-kernels.ts";
import { callOf, randomCall, type Slot, stageSteps, stepElements } from "./stage-steps.ts";
import type { StagedSource } from "./staging.ts";
import { sumKernels } from "./sum-kernels.ts";
import type { ChunkPlace } from "./wave.ts";

/** Where a job that adds up keeps what. */
export interface SumMemory {
  readonly sums: number;
  readonly partial: number;
  readonly largest: number;
  readonly smallest: number;
  readonly words: number;
  readonly judged: number;
  readonly rounded: number;
  readonly stored: number;
  readonly slots: number;
  readonly sizeBytes: number;
}

export function planSumMemory(): SumMemory {
  const plan = new MemoryPlan();
  const sums = plan.reserve(8 * chunkElements);
  const partial = plan.reserve(8 * chunkElements);
  const largest = plan.reserve(4 * chunkElements);
  const smallest = plan.reserve(4 * chunkElements);
  const words = plan.reserve(4 * chunkElements);
  const judged = plan.reserve(judgedBitsAt + chunkElements / 8);
  const rounded = plan.reserve(4 * chunkElements);
  const stored = plan.reserve(2 * chunkElements);
  const slots = reserveSlots(plan, slotsMax);
  const places = { sums, partial, largest, smallest, words, judged, rounded, stored, slots };
  return { ...places, sizeBytes: plan.sizeBytes };
}

export interface SumPlan {
  readonly dtype: NarrowFloat;
  readonly sources: readonly StagedSource[];
  readonly groups: readonly (readonly number[])[];
  readonly divisor: number;
  readonly spreadMax: number;
  readonly memory: SumMemory;
}

type RandomSource = Extract<StagedSource, { kind: "random" }>;

/** The unit of random values: their multiples of it, below 2^24, are added as whole numbers. */
const randomUnits = { uniform: 2 ** -24, symmetric: 2 ** -23 } as const;

/** Adds a chunk of all sources up, group by group, and judges which sums are certain. */
export function sumSteps(plan: SumPlan, place: ChunkPlace): readonly Step[] {
  const { memory, divisor } = plan;
  const { sums, largest, smallest, words, judged } = memory;
  const count = roundUp(place.count, stepElements);
  const random = plan.sources.filter((source) => source.kind === "random");
  const start = [largestAtStart(random), smallestAtStart(random)];
  const steps: Step[] = [
    callOf(sumKernels, "begin", [count, sums, largest, smallest, ...start]),
    ...(random.length > 0 ? [callOf(randomKernels, "zero", [words - 64, 4 * count + 128])] : []),
    ...plan.groups.flatMap((group) => groupSteps(plan, place, group)),
  ];
  if (divisor !== 1) steps.push(callOf(sumKernels, "divide", [sums, count, divisor]));
  steps.push(callOf(sumKernels, "judge", [largest, smallest, place.count, plan.spreadMax, judged]));
  if (plan.dtype === "f32") steps.push(callOf(sumKernels, "round", [sums, count, memory.rounded]));
  return steps;
}

/**
 * Random values are not looked at: their magnitudes are at most 1, and they are multiples of a unit
 * that a number of this exponent has in its last place.
 */
function largestAtStart(random: readonly RandomSource[]): number {
  return random.length === 0 ? 0 : 0x3f800000;
}

function smallestAtStart(random: readonly RandomSource[]): number {
  if (random.length === 0) return -1;
  return random.some(({ values }) => values === "uniform") ? 0x3f000000 - 1 : 0x3f800000 - 1;
}

/** One group's partial sums, merged with the others'. */
function groupSteps(plan: SumPlan, place: ChunkPlace, group: readonly number[]): readonly Step[] {
  const { sums, partial } = plan.memory;
  const count = roundUp(place.count, stepElements);
  const batches = batchesOf(group.map((index) => plan.sources[index] as StagedSource));
  // A batch is added up before it goes to the sums: a group of one batch is a partial sum already.
  if (plan.groups.length === 1 || batches.length === 1) {
    return batches.flatMap((batch) => batchSteps(plan, place, { batch, to: sums, fresh: false }));
  }
  const startsFresh = batches[0]?.kind === "staged";
  return [
    ...(startsFresh ? [] : [callOf(sumKernels, "clear", [partial, count])]),
    ...batches.flatMap((batch, index) =>
      batchSteps(plan, place, { batch, to: partial, fresh: startsFresh && index === 0 }),
    ),
    callOf(sumKernels, "merge", [sums, partial, count]),
  ];
}

type Batch =
  | { readonly kind: "random"; readonly sources: readonly RandomSource[] }
  | { readonly kind: "staged"; readonly sources: readonly StagedSource[] };

function batchesOf(sources: readonly StagedSource[]): readonly Batch[] {
  const batches: Batch[] = [];
  for (const values of ["uniform", "symmetric"] as const) {
    const random = sources.filter(
      (source): source is RandomSource => source.kind === "random" && source.values === values,
    );
    for (const part of partsOf(random, randomSourcesMax)) {
      batches.push({ kind: "random", sources: part });
    }
  }
  const staged = sources.filter(({ kind }) => kind !== "random");
  for (const part of partsOf(staged, slotsMax)) batches.push({ kind: "staged", sources: part });
  return batches;
}

function partsOf<T>(items: readonly T[], sizeMax: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += sizeMax) {
    parts.push(items.slice(start, start + sizeMax));
  }
  return parts;
}

interface BatchTarget {
  readonly batch: Batch;
  /** The sums it goes to. */
  readonly to: number;
  /** True when these hold nothing yet. */
  readonly fresh: boolean;
}

function batchSteps(
  plan: SumPlan,
  place: ChunkPlace,
  { batch, to, fresh }: BatchTarget,
): readonly Step[] {
  const { words, slots, largest, smallest, stored } = plan.memory;
  const count = roundUp(place.count, stepElements);
  if (batch.kind === "random") {
    const unit = randomUnits[batch.sources[0]?.values ?? "uniform"];
    return [
      ...batch.sources.map((source) => randomCall(`count-${source.values}`, source, place, words)),
      callOf(randomKernels, "empty", [words, count, to, unit]),
    ];
  }
  const staged = batch.sources.flatMap((source, index) => {
    const slot: Slot = { dtype: plan.dtype, address: slots + index * slotStrideBytes, stored };
    return stageSteps(source, place, slot);
  });
  const kernel = `${fresh ? "set" : "add"}${batch.sources.length}`;
  return [...staged, callOf(sumKernels, kernel, [slots, count, to, largest, smallest])];
}
