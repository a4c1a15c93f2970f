import type { ReduceOp } from "../../../tensor/reduce/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import type { StepKind } from "./plan-types.ts";
import type { State } from "./state.ts";

/** A step that has been chosen and carried out on the state. */
export interface Chosen {
  readonly kind: Exclude<StepKind, "copy">;
  readonly axes: readonly number[];
  readonly gathered?: number;
  readonly scattered?: number;
  readonly op?: ReduceOp;
}

/** What the choice goes by. */
export interface Situation {
  readonly mesh: Mesh;
  readonly dims: number;
  readonly current: State;
  readonly target: State;
}

/**
 * Chooses the next step towards the target and takes it. First what moves nothing and makes parts
 * smaller, then reductions (all axes in one, so that the result is rounded once), then exchanges,
 * then gathers from the inside out, and fills at the end.
 *
 * @returns undefined when the target is reached
 */
export function takeStep(situation: Situation): Chosen | undefined {
  return (
    slice(situation) ??
    reduce(situation) ??
    exchange(situation) ??
    gather(situation) ??
    fill(situation)
  );
}

function slice({ dims, current, target }: Situation): Chosen | undefined {
  for (let dim = 0; dim < dims; dim++) {
    const split = current.missing(dim, target);
    if (split === undefined || current.dimOf(split.axis) !== undefined) continue;
    if (current.partialOn(split.axis) !== undefined) continue;
    current.split(dim, split);
    return { kind: "slice", axes: [split.axis], scattered: dim };
  }
  return undefined;
}

function reduce({ mesh, dims, current, target }: Situation): Chosen | undefined {
  const due = mesh.axes
    .map((_, axis) => axis)
    .filter((axis) => {
      const op = current.partialOn(axis)?.op;
      return op !== undefined && target.partialOn(axis)?.op !== op;
    });
  const [first] = due;
  const op = first === undefined ? undefined : current.partialOn(first)?.op;
  if (first === undefined || op === undefined) return undefined;
  for (const axis of due) current.setPartial(axis, undefined);
  for (let dim = 0; due.length === 1 && dim < dims; dim++) {
    const split = current.missing(dim, target);
    if (split?.axis !== first) continue;
    current.split(dim, split);
    return { kind: "reduce-scatter", axes: due, scattered: dim, op };
  }
  return { kind: "all-reduce", axes: due, op };
}

function exchange({ dims, current, target }: Situation): Chosen | undefined {
  for (let scattered = 0; scattered < dims; scattered++) {
    const split = current.missing(scattered, target);
    const gathered = split === undefined ? undefined : current.dimOf(split.axis);
    if (split === undefined || gathered === undefined || gathered === scattered) continue;
    if (current.unwanted(gathered, target)?.axis !== split.axis) continue;
    current.unsplit(gathered);
    current.split(scattered, split);
    return { kind: "all-to-all", axes: [split.axis], gathered, scattered };
  }
  return undefined;
}

/**
 * Of the innermost splits that have to go, one whose axis splits nothing in the target: it is
 * gathered in any case, and may make room for an exchange. Then the one over the smallest axis.
 */
function gather({ mesh, dims, current, target }: Situation): Chosen | undefined {
  let best: { readonly dim: number; readonly axis: number; readonly cost: number } | undefined;
  for (let dim = 0; dim < dims; dim++) {
    const axis = current.unwanted(dim, target)?.axis;
    if (axis === undefined) continue;
    const cost = target.dimOf(axis) === undefined ? 0 : (mesh.shape[axis] ?? 1);
    if (best === undefined || cost < best.cost) best = { dim, axis, cost };
  }
  if (best === undefined) return undefined;
  current.unsplit(best.dim);
  return { kind: "all-gather", axes: [best.axis], gathered: best.dim };
}

function fill({ mesh, current, target }: Situation): Chosen | undefined {
  const axes = mesh.axes
    .map((_, axis) => axis)
    .filter((axis) => target.partialOn(axis) !== undefined && !current.partialOn(axis));
  const placement = axes[0] === undefined ? undefined : target.partialOn(axes[0]);
  if (placement === undefined) return undefined;
  for (const axis of axes) current.setPartial(axis, placement);
  return { kind: "fill", axes, op: placement.op };
}
