import type { Placement, ShardPlacement } from "./placement.ts";

/** A mesh axis that splits a dimension. */
export interface AxisSplit {
  /** The position of the axis in the mesh. */
  readonly axis: number;
  readonly how: ShardPlacement;
}

/**
 * How a tensor lies on a mesh: one placement per mesh axis. Made by `resolveLayout`, which checks
 * it against the mesh and the tensor's shape.
 */
export class Layout {
  /** In the order of the mesh's axes; dimensions count from 0. */
  readonly placements: readonly Placement[];
  /** The names of the mesh's axes. */
  readonly axes: readonly string[];
  readonly #splits: ReadonlyMap<number, readonly AxisSplit[]>;

  constructor(axes: readonly string[], placements: readonly Placement[]) {
    this.axes = axes;
    this.#splits = splitsByDim(placements);
    this.placements = inCanonicalOrder(placements, this.#splits);
  }

  /** The mesh axes that split a dimension, outermost first. */
  splitsOf(dim: number): readonly AxisSplit[] {
    return this.#splits.get(dim) ?? [];
  }

  /** Positions of the mesh axes with this kind of placement. */
  axesWith(kind: Placement["kind"]): readonly number[] {
    return this.placements.flatMap((placement, axis) => (placement.kind === kind ? [axis] : []));
  }

  /** The same layout with another placement on one mesh axis, given by its position. */
  with(axis: number, placement: Placement): Layout {
    return new Layout(this.axes, this.placements.with(axis, placement));
  }

  /** True when both place every mesh axis alike. */
  equals(other: Layout): boolean {
    return (
      this.placements.length === other.placements.length &&
      this.placements.every((placement, axis) => samePlacement(placement, other.placements[axis]))
    );
  }

  /** One line: `tp: S(0), pp: S(1) cyclic, dp: R`. R is replicate, S(d) split of d, P partial. */
  describe(): string {
    return this.placements
      .map((placement, axis) => `${this.axes[axis] ?? axis}: ${describePlacement(placement)}`)
      .join(", ");
  }
}

/** One placement in short: `R`, `S(0)`, `S(1) cyclic`, `P(sum)`. */
export function describePlacement(placement: Placement): string {
  if (placement.kind === "replicate") return "R";
  if (placement.kind === "partial") return `P(${placement.op})`;
  const { dim, split, block, order } = placement;
  const how = [
    split === "ceil" ? "" : ` ${split}`,
    block === undefined || block === 1 ? "" : ` by ${block}`,
    order === undefined ? "" : ` level ${order}`,
  ];
  return `S(${dim})${how.join("")}`;
}

/** True for the same placement, however it was written. */
export function samePlacement(one: Placement, other: Placement | undefined): boolean {
  if (one.kind === "partial") return other?.kind === "partial" && one.op === other.op;
  if (one.kind === "replicate") return other?.kind === "replicate";
  return other?.kind === "shard" && sameSplit(one, other) && one.order === other.order;
}

/** True when both split the same dimension in the same way. */
export function sameSplit(one: ShardPlacement, other: ShardPlacement): boolean {
  return (
    one.dim === other.dim && one.split === other.split && (one.block ?? 1) === (other.block ?? 1)
  );
}

function splitsByDim(placements: readonly Placement[]): Map<number, AxisSplit[]> {
  const byDim = new Map<number, AxisSplit[]>();
  for (const [axis, how] of placements.entries()) {
    if (how.kind !== "shard") continue;
    byDim.set(how.dim, [...(byDim.get(how.dim) ?? []), { axis, how }]);
  }
  for (const splits of byDim.values()) {
    splits.sort((a, b) => (a.how.order ?? 0) - (b.how.order ?? 0) || a.axis - b.axis);
  }
  return byDim;
}

/** Orders count from 0, and stand only where they differ from the order of the mesh's axes. */
function inCanonicalOrder(
  placements: readonly Placement[],
  byDim: ReadonlyMap<number, readonly AxisSplit[]>,
): readonly Placement[] {
  return placements.map((placement, axis) => {
    if (placement.kind !== "shard") return placement;
    const { order: _, ...rest } = placement;
    const splits = byDim.get(placement.dim) ?? [];
    const usual = splits.every(({ axis }, at) => at === 0 || axis > (splits[at - 1]?.axis ?? -1));
    return usual ? rest : { ...rest, order: splits.findIndex((split) => split.axis === axis) };
  });
}
