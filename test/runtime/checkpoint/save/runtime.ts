export * as fault from "../../../../src/chaos/fault/index.ts";
export * as dist from "../../../../src/runtime/dist/index.ts";
export * as tensor from "../../../../src/runtime/tensor/index.ts";
