import type { Bench } from "../bench.ts";

/** Benchmarks that need a GPU, by name; `portable-program.ts` runs them without the rest. */
export const cudaBenches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  "cuda/agreement": () => import("./agreement.ts"),
  "cuda/gemm": () => import("./gemm.ts"),
  "cuda/changing-checksum": () => import("./changing-checksum.ts"),
  "cuda/checksum": () => import("./checksum.ts"),
  "cuda/hbm-walk": () => import("./hbm-walk.ts"),
  "cuda/dl-unit-quick": () => import("./dl-unit-quick.ts"),
};
