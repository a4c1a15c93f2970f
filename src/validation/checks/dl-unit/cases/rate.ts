/** How fast products are, as figures say it: processors are a thousand times slower than GPUs. */
interface Rate {
  /** In the names of figures. */
  readonly name: "tflops" | "gflops";
  readonly unit: string;
  /** Operations a second. */
  readonly perUnit: number;
}

const teraFlops: Rate = { name: "tflops", unit: "TFLOP/s", perUnit: 1e12 };
const gigaFlops: Rate = { name: "gflops", unit: "GFLOP/s", perUnit: 1e9 };

/** The rate that an engine's figures are in. */
export function rateOf(engine: "cuda" | "cpu"): Rate {
  return engine === "cuda" ? teraFlops : gigaFlops;
}
