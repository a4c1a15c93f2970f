/** Data to train with: made by seed and index, read through a cursor that can be saved. */
export { classesTask } from "./classes-task.ts";
export { createLoader, type Loader, type TakenBatch } from "./loader.ts";
export { createPermutation } from "./permutation.ts";
export type { DataCursor, RandomCursor, SampleId } from "./sample.ts";
export { sequenceTask } from "./sequence-task.ts";
export type { Task, TaskRows } from "./task.ts";
