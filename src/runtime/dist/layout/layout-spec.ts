import { TesseraError } from "../../../platform/errors/index.ts";
import type { ReduceOp } from "../../tensor/reduce/types.ts";
import type { Placement, ReplicatePlacement, Split } from "./placement.ts";

/** A dimension: its number (from the end when negative), "row" (first), "col" (last), or a name from `dimNames`. */
export type DimName = number | string;

/** Dimensions to split, and over which mesh axes. */
export interface ShardSpecOptions {
  /** Dimensions to split; null leaves the mesh axes of that entry without a part in it. */
  readonly partition: readonly (DimName | null)[];
  /** For each entry of `partition` the mesh axis, or several: the first splits the dimension, the next its parts. */
  readonly meshAxes: readonly (string | readonly string[] | null)[];
  /** For all entries, or one for each. @default "ceil" */
  readonly split?: Split | readonly Split[];
  /** Short for split: "cyclic". @default false */
  readonly cyclic?: boolean;
  /** Parts begin at multiples of so many elements; for all entries, or one for each. @default 1 */
  readonly block?: number | readonly number[];
  /** Names of all dimensions, if `partition` uses names other than "row" and "col". */
  readonly dimNames?: readonly string[];
  /** Mesh axes along which the values still have to be reduced. */
  readonly partial?: { readonly op: ReduceOp; readonly axes: string | readonly string[] };
}

/** One dimension to split. */
export interface ShardRequest {
  readonly dim: DimName;
  readonly axes: readonly string[];
  readonly split: Split;
  readonly block: number | undefined;
}

/** A layout by dimension names and mesh axis names; made by `shardSpec`. */
export interface ShardSpec {
  readonly kind: "shard-spec";
  readonly shards: readonly ShardRequest[];
  readonly dimNames: readonly string[] | undefined;
  readonly partial: PartialSpec | undefined;
}

/** Values that still have to be reduced; made by `partial`. */
export interface PartialSpec {
  readonly kind: "partial";
  readonly op: ReduceOp;
  /** The mesh axes; all of them when absent. */
  readonly axes?: readonly string[];
}

/** A layout as a user asks for it, not yet bound to a mesh and a shape. */
export type LayoutSpec = ReplicatePlacement | ShardSpec | PartialSpec | readonly Placement[];

/** Every device holds the whole tensor. */
export function replicate(): ReplicatePlacement {
  return { kind: "replicate" };
}

/**
 * Every device holds values that still have to be reduced by `op` over these mesh axes.
 *
 * @param axes all axes of the mesh by default
 */
export function partial(op: ReduceOp, axes?: string | readonly string[]): PartialSpec {
  return { kind: "partial", op, ...(axes === undefined ? {} : { axes: listOf(axes) }) };
}

/**
 * Splits dimensions over mesh axes; axes that are not named replicate.
 *
 * ```ts
 * shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "pp"] });
 * shardSpec({ partition: [0], meshAxes: [["tp", "pp"]] }); // tp first, then pp splits each part
 * ```
 *
 * @throws E_LAYOUT_LENGTH when the lists differ in length.
 */
export function shardSpec(options: ShardSpecOptions): ShardSpec {
  const { partition, meshAxes, block } = options;
  const split = options.split ?? (options.cyclic === true ? "cyclic" : "ceil");
  sameLength("meshAxes", meshAxes, partition);
  if (typeof split !== "string") sameLength("split", split, partition);
  if (typeof block === "object") sameLength("block", block, partition);
  const shards = partition.flatMap((dim, index): ShardRequest[] => {
    const axes = meshAxes[index];
    if (dim === null || axes === null || axes === undefined) return [];
    return [
      {
        dim,
        axes: listOf(axes),
        split: typeof split === "string" ? split : (split[index] ?? "ceil"),
        block: typeof block === "object" ? block[index] : block,
      },
    ];
  });
  const { dimNames, partial: reduce } = options;
  return {
    kind: "shard-spec",
    shards,
    dimNames,
    partial: reduce === undefined ? undefined : partial(reduce.op, reduce.axes),
  };
}

function sameLength(name: string, list: readonly unknown[], partition: readonly unknown[]): void {
  if (list.length === partition.length) return;
  const problem = `${name} has ${list.length} entries and partition ${partition.length}`;
  throw new TesseraError("E_LAYOUT_LENGTH", { problem });
}

function listOf(axes: string | readonly string[]): readonly string[] {
  return typeof axes === "string" ? [axes] : axes;
}
