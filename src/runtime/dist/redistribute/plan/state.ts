import {
  type AxisSplit,
  Layout,
  type PartialPlacement,
  type Placement,
  sameSplit,
} from "../../layout/index.ts";

/** A layout on its way to another: which axes split each dimension, outermost first, and the rest. */
export class State {
  readonly #axes: readonly string[];
  readonly #splits: AxisSplit[][];
  readonly #partial = new Map<number, PartialPlacement>();

  constructor(layout: Layout, dims: number) {
    this.#axes = layout.axes;
    this.#splits = Array.from({ length: dims }, (_, dim) => [...layout.splitsOf(dim)]);
    for (const [axis, placement] of layout.placements.entries()) {
      if (placement.kind === "partial") this.#partial.set(axis, placement);
    }
  }

  splitsOf(dim: number): readonly AxisSplit[] {
    return this.#splits[dim] ?? [];
  }

  /** The dimension an axis splits, if it splits one. */
  dimOf(axis: number): number | undefined {
    const dim = this.#splits.findIndex((splits) => splits.some((split) => split.axis === axis));
    return dim < 0 ? undefined : dim;
  }

  partialOn(axis: number): PartialPlacement | undefined {
    return this.#partial.get(axis);
  }

  /** How many of a dimension's splits, from the outermost on, are as in the target. */
  settled(dim: number, target: State): number {
    const wanted = target.splitsOf(dim);
    const differs = this.splitsOf(dim).findIndex((split, at) => !isSame(split, wanted[at]));
    return differs < 0 ? this.splitsOf(dim).length : differs;
  }

  /** The next split to add to a dimension, if everything there is settled and one is missing. */
  missing(dim: number, target: State): AxisSplit | undefined {
    const have = this.splitsOf(dim).length;
    return this.settled(dim, target) === have ? target.splitsOf(dim)[have] : undefined;
  }

  /** The innermost split of a dimension, if it has to go. */
  unwanted(dim: number, target: State): AxisSplit | undefined {
    const splits = this.splitsOf(dim);
    return splits.length > this.settled(dim, target) ? splits.at(-1) : undefined;
  }

  /** Takes away the innermost split of a dimension. */
  unsplit(dim: number): void {
    this.#splits[dim]?.pop();
  }

  /** Adds an innermost split to a dimension. */
  split(dim: number, split: AxisSplit): void {
    this.#splits[dim]?.push(split);
  }

  setPartial(axis: number, placement: PartialPlacement | undefined): void {
    if (placement === undefined) this.#partial.delete(axis);
    else this.#partial.set(axis, placement);
  }

  layout(): Layout {
    const placements = this.#axes.map(
      (_, axis): Placement => this.#partial.get(axis) ?? { kind: "replicate" },
    );
    for (const splits of this.#splits) {
      for (const [order, { axis, how }] of splits.entries()) placements[axis] = { ...how, order };
    }
    return new Layout(this.#axes, placements);
  }
}

function isSame(one: AxisSplit, other: AxisSplit | undefined): boolean {
  return other !== undefined && one.axis === other.axis && sameSplit(one.how, other.how);
}
