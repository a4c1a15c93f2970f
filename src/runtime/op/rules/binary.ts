import type { DistTensor } from "../../dist/array/index.ts";
import type { Placement } from "../../dist/layout/index.ts";
import { samePlacement } from "../../dist/layout/layout.ts";
import type { Plan } from "../dispatch.ts";
import { layoutError } from "../operand.ts";
import { alignedTo } from "./align.ts";

/**
 * - `sum`: a + b, so that partial sums of both can be added part by part;
 * - `product`: a * b, so that one of them may be a partial sum;
 * - `quotient`: a / b, so that a may be one;
 * - `none`: neither may.
 */
export type Linearity = "sum" | "product" | "quotient" | "none";

export interface BinaryRule {
  readonly op: string;
  readonly linearity: Linearity;
}

/**
 * For operations element by element on two tensors, dimensions of length 1 repeating. A tensor that
 * is replicated along an axis which splits the other is cut where it is.
 *
 * @throws E_LAYOUT_OP
 */
export function binaryPlan([a, b]: readonly [DistTensor, DistTensor], rule: BinaryRule): Plan {
  const dims = Math.max(a.shape.length, b.shape.length);
  const placements = a.mesh.axes.map((axis, at) => {
    const pair = { a: seenFrom(dims, a, at), b: seenFrom(dims, b, at) };
    return combine(rule, axis, pair);
  });
  return {
    inputs: [a, b].map((x) => {
      const aligned = alignedTo(x, wantedOf(x, placements, dims));
      if (aligned !== undefined) return aligned;
      throw layoutError(
        rule.op,
        `the operands are split in different ways: ${a.layout.describe()} and ${b.layout.describe()}`,
        "Bring one to the layout of the other: x.redistribute({ layout: y.layout }).",
      );
    }),
    placements,
  };
}

/** A placement, with the dimension counted as in the result. */
function seenFrom(dims: number, { layout, shape }: DistTensor, axis: number): Placement {
  const placement = layout.placements[axis] ?? { kind: "replicate" };
  if (placement.kind !== "shard") return placement;
  return { ...placement, dim: placement.dim + dims - shape.length };
}

function combine(
  { op, linearity }: BinaryRule,
  axis: string,
  { a, b }: { readonly a: Placement; readonly b: Placement },
): Placement {
  const isSum = (one: Placement) =>
    one.kind === "partial" && (one.op === "sum" || one.op === "avg");
  if (a.kind === "partial" || b.kind === "partial") {
    const both = samePlacement(a, b) && isSum(a) && linearity === "sum";
    const first =
      isSum(a) && b.kind === "replicate" && (linearity === "product" || linearity === "quotient");
    const second = a.kind === "replicate" && isSum(b) && linearity === "product";
    if (both || first) return a;
    if (second) return b;
    throw layoutError(
      op,
      `over ${axis} one operand is partial, and ${op} of its parts is not the part of the result`,
      "Reduce it first: op.reducePartial(x).",
    );
  }
  if (a.kind === "replicate") return b;
  return a;
}

/** What an operand must look like for this result: split like it, where it does not repeat. */
function wantedOf(x: DistTensor, placements: readonly Placement[], dims: number): Placement[] {
  return placements.map((placement, axis): Placement => {
    const own = x.layout.placements[axis] ?? { kind: "replicate" };
    if (placement.kind !== "shard") return own;
    const dim = placement.dim - (dims - x.shape.length);
    if (dim < 0 || (x.shape[dim] === 1 && own.kind === "replicate")) return { kind: "replicate" };
    return { ...placement, dim };
  });
}
