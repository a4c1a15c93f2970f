/** An inference job in the simulator. */
export { inferenceFaults } from "./inference-faults.ts";
export { inferenceMarks } from "./router.ts";
export { runInference } from "./run-inference.ts";
