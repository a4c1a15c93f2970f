import { badCall, type Call } from "./call.ts";

/** The dimension that a number names, negative ones counted from the end. @throws E_COLLECTIVE */
export function resolveDim({ op, x }: Call, name: string, dim: number): number {
  const dims = x.shape.length;
  const resolved = dim < 0 ? dim + dims : dim;
  if (Number.isInteger(dim) && resolved >= 0 && resolved < dims) return resolved;
  throw badCall(
    op,
    `\`${name}\` is ${dim}, and the tensor has ${dims} dimensions`,
    dims === 0
      ? "A tensor without dimensions cannot be split: give it one with reshape([1])."
      : `Use 0 to ${dims - 1}, or -1 for the last.`,
  );
}
