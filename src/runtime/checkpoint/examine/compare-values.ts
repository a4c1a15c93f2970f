import { joinPath, rebuildState } from "../values/index.ts";
import type { ValueDifference } from "./difference.ts";

/** Differences that are listed; what is beyond is counted. */
const listedMax = 1000;

/** How the leaves of two states that are no tensors differ, NaN being equal to itself and -0 not to 0. */
export function compareValues(
  a: unknown,
  b: unknown,
): { readonly values: readonly ValueDifference[]; readonly leftOut: number } {
  const [one, other] = [leavesOf(a), leavesOf(b)];
  const paths = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  const values = paths.flatMap((path): ValueDifference[] => {
    const [hasA, hasB] = [one.has(path), other.has(path)];
    if (hasA && hasB && Object.is(one.get(path), other.get(path))) return [];
    return [
      { path, ...(hasA ? { a: one.get(path) } : {}), ...(hasB ? { b: other.get(path) } : {}) },
    ];
  });
  return { values: values.slice(0, listedMax), leftOut: Math.max(0, values.length - listedMax) };
}

/** Leaves by path; records and lists without any count as a leaf of their own. */
function leavesOf(values: unknown): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  const isTensor = Symbol("tensor");
  const walk = (node: unknown, path: string | undefined): void => {
    if (node === isTensor) return;
    if (typeof node !== "object" || node === null) {
      leaves.set(path ?? "", node);
      return;
    }
    const entries = Object.entries(node);
    if (entries.length === 0) leaves.set(path ?? "", Array.isArray(node) ? "[]" : "{}");
    for (const [key, value] of entries) walk(value, joinPath(path, key));
  };
  walk(
    rebuildState(values, () => isTensor),
    undefined,
  );
  return leaves;
}
