export * as cuda from "./cuda/index.ts";
export * as dist from "./dist/index.ts";
export * as op from "./op/index.ts";
export * as profile from "./profile/index.ts";
export * as ranks from "./ranks/index.ts";
export * as tensor from "./tensor/index.ts";
