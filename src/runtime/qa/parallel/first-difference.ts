import type { Tensor } from "../../tensor/index.ts";

/** The name of the first tensor that is missing or has other bits; undefined when all agree. */
export function firstDifference(
  found: Readonly<Record<string, Tensor>>,
  expected: Readonly<Record<string, Tensor>>,
): string | undefined {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].find((name) => found[name]?.digest() !== expected[name]?.digest());
}
