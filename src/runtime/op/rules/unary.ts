import type { DistTensor } from "../../dist/array/index.ts";
import type { Plan } from "../dispatch.ts";
import { layoutError } from "../operand.ts";

export interface UnaryRule {
  readonly op: string;
  /** f(a + b) = f(a) + f(b), so that it can be done before a sum. Default: false. */
  readonly isLinear?: boolean;
  /** Dimensions whose elements belong together, and so must not be split. Default: none. */
  readonly whole?: readonly number[];
}

/** For operations on one tensor whose result lies as it does. */
export function unaryPlan(x: DistTensor, { op, isLinear = false, whole = [] }: UnaryRule): Plan {
  refusePartial(x, { op, isLinear });
  for (const dim of whole) refuseSplit(x, op, dim);
  return { inputs: [x], placements: x.layout.placements };
}

/** @throws E_LAYOUT_OP for values that are partial, unless the operation can be done before. */
export function refusePartial(
  { layout, mesh }: DistTensor,
  { op, isLinear = false }: Pick<UnaryRule, "op" | "isLinear">,
): void {
  for (const axis of layout.axesWith("partial")) {
    const placement = layout.placements[axis];
    if (placement?.kind !== "partial") continue;
    if (isLinear && (placement.op === "sum" || placement.op === "avg")) continue;
    throw layoutError(
      op,
      `the values are partial by ${placement.op} over ${mesh.axes[axis]}, and ${op} of the parts is not the ${placement.op} of the results`,
      "Reduce them first: op.reducePartial(x).",
    );
  }
}

/** @throws E_LAYOUT_OP when mesh axes split this dimension. */
export function refuseSplit({ layout, mesh }: DistTensor, op: string, dim: number): void {
  const axes = layout.splitsOf(dim).filter(({ axis }) => (mesh.shape[axis] ?? 1) > 1);
  if (axes.length === 0) return;
  const names = axes.map(({ axis }) => mesh.axes[axis]).join(", ");
  throw layoutError(
    op,
    `it needs the whole of dimension ${dim}, which is split over ${names}`,
    `Gather it first: op.allGather(x, { over: ${JSON.stringify(axes.map(({ axis }) => mesh.axes[axis]))} }).`,
  );
}
