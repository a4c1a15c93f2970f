import type { DistTensor } from "../../dist/array/index.ts";
import type { Placement, ShardPlacement } from "../../dist/layout/index.ts";
import type { Plan } from "../dispatch.ts";
import { layoutError } from "../operand.ts";
import { alignedTo } from "./align.ts";

/** What a mesh axis does to a factor: splits the dimension it is named for, or nothing. */
type Role =
  | { readonly kind: "replicate" }
  | { readonly kind: "partial"; readonly placement: Placement }
  | { readonly kind: "rows" | "columns" | "inner"; readonly how: ShardPlacement }
  | { readonly kind: "batch"; readonly dim: number; readonly how: ShardPlacement };

/**
 * Where a product of matrices can be computed without communication, axis by axis: rows of `a`
 * split, columns of `b` split (column parallel), or both along what is summed over, which leaves
 * partial sums (row parallel). Batches are split alike.
 *
 * @throws E_LAYOUT_OP
 */
export function matmulPlan([a, b]: readonly [DistTensor, DistTensor], op: string): Plan {
  const dims = Math.max(a.shape.length, b.shape.length);
  const placements = a.mesh.axes.map((axis, at) => {
    const pair = { a: roleOf(a, at, { dims, inner: -1 }), b: roleOf(b, at, { dims, inner: -2 }) };
    const combined = combine(pair, dims);
    if (combined !== undefined) return combined;
    throw layoutError(
      op,
      `over ${axis} the first factor is ${shown(pair.a)} and the second ${shown(pair.b)}`,
      "Without communication go together: rows of the first split and the second replicated; the first replicated and columns of the second split; columns of the first and rows of the second split alike. Bring one factor there with x.redistribute(…), or reduce partial values with op.reducePartial(x).",
    );
  });
  const inputs = [a, b].map((x) => {
    const aligned = alignedTo(x, withBatches(x, placements, dims));
    if (aligned !== undefined) return aligned;
    throw layoutError(
      op,
      `the batches are split in different ways: ${a.layout.describe()} and ${b.layout.describe()}`,
      "Bring one factor to the layout of the other: x.redistribute({ layout: y.layout }).",
    );
  });
  return { inputs, placements };
}

function roleOf(
  { layout, shape }: DistTensor,
  axis: number,
  { dims, inner }: { readonly dims: number; readonly inner: -1 | -2 },
): Role {
  const how = layout.placements[axis] ?? { kind: "replicate" };
  if (how.kind === "replicate") return how;
  if (how.kind === "partial") return { kind: "partial", placement: how };
  const fromEnd = how.dim - shape.length;
  if (fromEnd === inner) return { kind: "inner", how };
  if (fromEnd < -2) return { kind: "batch", dim: dims + fromEnd, how };
  return { kind: fromEnd === -1 ? "columns" : "rows", how };
}

function combine(
  pair: { readonly a: Role; readonly b: Role },
  dims: number,
): Placement | undefined {
  const { a, b } = pair;
  if (a.kind === "replicate" && b.kind === "replicate") return { kind: "replicate" };
  if (b.kind === "replicate") return ofOne(a, dims);
  if (a.kind === "replicate") return ofOne(b, dims);
  if (a.kind === "inner" && b.kind === "inner" && isAlike(a.how, b.how)) {
    return { kind: "partial", op: "sum" };
  }
  if (a.kind === "batch" && b.kind === "batch" && a.dim === b.dim && isAlike(a.how, b.how)) {
    return { ...a.how, dim: a.dim };
  }
  return undefined;
}

/** What comes of a factor when the other one is replicated. */
function ofOne(role: Role, dims: number): Placement | undefined {
  switch (role.kind) {
    case "rows":
      return { ...role.how, dim: dims - 2 };
    case "columns":
      return { ...role.how, dim: dims - 1 };
    case "batch":
      return { ...role.how, dim: role.dim };
    case "partial": {
      const { placement } = role;
      const isSum =
        placement.kind === "partial" && (placement.op === "sum" || placement.op === "avg");
      return isSum ? placement : undefined;
    }
    default:
      return undefined;
  }
}

/** Split in the same way, along dimensions that may have different numbers. */
function isAlike(one: ShardPlacement, other: ShardPlacement): boolean {
  return (
    one.split === other.split &&
    (one.block ?? 1) === (other.block ?? 1) &&
    one.order === other.order
  );
}

/** Where a factor has all batches, it can do with those that its devices work on. */
function withBatches(
  x: DistTensor,
  placements: readonly Placement[],
  dims: number,
): readonly Placement[] {
  return x.layout.placements.map((placement, axis): Placement => {
    const target = placements[axis];
    if (placement.kind !== "replicate" || target?.kind !== "shard") return placement;
    const dim = target.dim - (dims - x.shape.length);
    const isBatch = target.dim < dims - 2 && dim >= 0 && x.shape[dim] !== 1;
    return isBatch ? { ...target, dim } : placement;
  });
}

function shown(role: Role): string {
  switch (role.kind) {
    case "replicate":
      return "replicated";
    case "partial":
      return "partial";
    case "inner":
      return "split along what is summed over";
    case "batch":
      return "split along a batch dimension";
    default:
      return `split along its ${role.kind}`;
  }
}
