/** A training job in the simulator. */
export { type TrainingMark, trainingMarks } from "./marks.ts";
export { runTraining } from "./run-training.ts";
