export { answerInspection } from "./answer-inspection.ts";
export { type FoundLibrary, findLibrary } from "./find-library.ts";
export type { CallableLibrary, LibraryFunctions } from "./function-tables.ts";
export { type GpuLibraryProbeOptions, gpuLibraryProbes } from "./gpu-library-probe.ts";
export { inspectionVariable } from "./inspection.ts";
export { givenFolders, libraryPathVariable } from "./library-folders.ts";
export { type CudaLibraries, type LoadCudaOptions, loadCuda } from "./load-cuda.ts";
