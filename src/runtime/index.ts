export * as dist from "./dist/index.ts";
export * as op from "./op/index.ts";
export * as profile from "./profile/index.ts";
export * as tensor from "./tensor/index.ts";
