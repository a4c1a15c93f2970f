/**
 * Work at full load for as long as one likes, on one device, with every result verified: what
 * `tessera stress` runs. An engine does the work; `runStress` keeps it busy and sums up.
 */
export { createCpuMatmul, createCpuMemory, createCpuMixed } from "./cpu/index.ts";
export {
  type Corruption,
  type Mismatch,
  type StressEngine,
  type StressKind,
  type StressSlice,
  stressKinds,
} from "./engine.ts";
export {
  type GpuWatchOptions,
  type HardwareNotes,
  type HardwareWatch,
  watchGpu,
} from "./hardware-watch.ts";
export { createIoStress, type IoStressOptions } from "./io/index.ts";
export { ratesOver, type Stability } from "./measure/stability.ts";
export type { TimePoint } from "./measure/time-line.ts";
export {
  runStress,
  type StressProgress,
  type StressResult,
  type StressRun,
} from "./run-stress.ts";
