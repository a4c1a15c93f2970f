import type { ReduceOrder } from "../../tensor/reduce/index.ts";

/**
 * The order in which an algorithm adds. In-switch reduction (NVLS) has none that anybody documents:
 * it is taken for rank order.
 */
export function orderOf(algorithm: string): ReduceOrder {
  if (algorithm === "tree" || algorithm === "halving-doubling") return "tree";
  return algorithm === "nvls" ? "rank" : "ring";
}
