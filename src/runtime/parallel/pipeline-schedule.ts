import assert from "node:assert/strict";

/** One thing a pipeline stage does next: a forward or backward pass of one micro-batch. */
export interface PipelineStep {
  readonly pass: "forward" | "backward";
  readonly microBatch: number;
  /** Which of the stretches of layers that the device holds. 0 unless the schedule interleaves. */
  readonly chunk: number;
}

export const pipelineSchedules = ["gpipe", "1f1b", "interleaved"] as const;
export type PipelineSchedule = (typeof pipelineSchedules)[number];

export interface ScheduleOptions {
  readonly schedule: PipelineSchedule;
  /** Devices in the pipeline. */
  readonly stages: number;
  /** For `interleaved` a multiple of the stages. */
  readonly microBatches: number;
  /** Stretches of layers on each device; 1 unless the schedule interleaves. */
  readonly chunks: number;
}

/** What one stage does, in order. */
export function stepsOfStage(stage: number, options: ScheduleOptions): readonly PipelineStep[] {
  const { schedule, stages, microBatches, chunks } = options;
  assert(stage >= 0 && stage < stages, "a stage of the pipeline");
  assert(schedule === "interleaved" || chunks === 1, "only interleaving has several chunks");
  assert(schedule !== "interleaved" || microBatches % stages === 0, "micro-batches fill rounds");
  const total = microBatches * chunks;
  const forward = Array.from({ length: total }, (_, index) => forwardStep(index, options));
  const backward = Array.from({ length: total }, (_, index) => backwardStep(index, options));
  return interleave(forward, backward, Math.min(total, warmUpOf(stage, options)));
}

/**
 * The share of a pipeline's time in which a device waits, when passes take the same time on every
 * device and messages none.
 */
export function idealBubble({ stages, microBatches, chunks }: ScheduleOptions): number {
  return (stages - 1) / (microBatches * chunks + stages - 1);
}

/** How many forward passes a stage runs before its first backward pass can begin. */
function warmUpOf(stage: number, options: ScheduleOptions): number {
  const { schedule, stages, microBatches, chunks } = options;
  if (schedule === "gpipe") return microBatches;
  const below = stages - stage - 1;
  return schedule === "1f1b" ? below : 2 * below + (chunks - 1) * stages;
}

/** Micro-batches go through all chunks in rounds of as many as there are stages. */
function forwardStep(index: number, { schedule, stages, chunks }: ScheduleOptions): PipelineStep {
  if (schedule !== "interleaved") return { pass: "forward", microBatch: index, chunk: 0 };
  const round = Math.floor(index / (stages * chunks));
  return {
    pass: "forward",
    microBatch: round * stages + (index % stages),
    chunk: Math.floor(index / stages) % chunks,
  };
}

function backwardStep(index: number, options: ScheduleOptions): PipelineStep {
  const { microBatch, chunk } = forwardStep(index, options);
  return { pass: "backward", microBatch, chunk: options.chunks - 1 - chunk };
}

/** Some forward passes, then one of each in turn, then the backward passes that are left. */
function interleave(
  forward: readonly PipelineStep[],
  backward: readonly PipelineStep[],
  warmUp: number,
): readonly PipelineStep[] {
  const steady = forward.slice(warmUp).flatMap((step, index) => [step, backward[index] ?? []]);
  const left = backward.slice(forward.length - warmUp);
  return [...forward.slice(0, warmUp), ...steady.flat(), ...left];
}
