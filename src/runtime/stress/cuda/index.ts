export { type CudaFormat, cudaFormats, formatsOn } from "./formats.ts";
export { type CudaMemoryOptions, createCudaMemory } from "./memory.ts";
export { type CudaMixedOptions, createCudaMixed } from "./mixed.ts";
export type { CheckPlace } from "./product-lane.ts";
export { type CudaProductsOptions, createCudaProducts } from "./products.ts";
