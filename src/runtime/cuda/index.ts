export { answerInspection } from "./answer-inspection.ts";
export { type GpuLibraryProbeOptions, gpuLibraryProbes } from "./gpu-library-probe.ts";
export { inspectionVariable } from "./inspection.ts";
