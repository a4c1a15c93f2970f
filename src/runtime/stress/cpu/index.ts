export {
  type CpuMatmulDType,
  type CpuMatmulOptions,
  cpuMatmulDTypes,
  createCpuMatmul,
} from "./matmul.ts";
export { type CpuMemoryOptions, createCpuMemory } from "./memory.ts";
export { type CpuMixedOptions, createCpuMixed } from "./mixed.ts";
