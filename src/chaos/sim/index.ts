/** The simulated world. */
export { inferenceMarks } from "./inference/index.ts";
export { type TrainingMark, trainingMarks } from "./job/index.ts";
export type { SimRunOptions } from "./run-options.ts";
export { createSimWorld, type SimWorldOptions } from "./sim-world.ts";
