import { TesseraError } from "../../../platform/errors/index.ts";
import type { Block } from "../../dist/array/block.ts";
import { checkLocals } from "../../dist/array/check-locals.ts";
import { isReadable, requireDevices } from "../../dist/array/device-lost.ts";
import type { DistTensor } from "../../dist/array/index.ts";
import { currentHealth } from "../../dist/health/index.ts";
import { type DimSlice, localSlices } from "../../dist/layout/index.ts";
import { sameBits, wholeOfBlock } from "./readers.ts";

/** One version of a part, and who has it. */
export interface Copy {
  readonly block: Block;
  readonly ranks: readonly number[];
}

/** A part that one or more ranks hold. */
export interface Part {
  /** Tells the part from others: its box, and its place among partial sums. */
  readonly key: string;
  readonly slices: readonly DimSlice[];
  /** One, unless replicas disagree; the one with most ranks first, of as many the one with the lowest. */
  readonly copies: readonly [Copy, ...Copy[]];
}

/**
 * The parts of a distributed tensor and the versions there are of each, on living devices.
 *
 * @throws E_DESYNC when a rank holds something else than its layout says; E_DEVICE_LOST when no living
 * device holds a part.
 */
export function partsOf(x: DistTensor): readonly Part[] {
  const { mesh, layout, shape } = x;
  const health = currentHealth();
  const summed = layout.axesWith("partial");
  const found = new Map<string, { slices: readonly DimSlice[]; ranks: number[]; lost: number[] }>();
  for (const [rank, device] of mesh.devices.entries()) {
    const slices = localSlices(layout, { mesh, shape, rank });
    const coordinates = mesh.coordinatesOf(rank);
    const key = JSON.stringify([slices, summed.map((axis) => coordinates[axis])]);
    const part = found.get(key) ?? { slices, ranks: [], lost: [] };
    (isReadable(health, device) ? part.ranks : part.lost).push(rank);
    found.set(key, part);
  }
  const parts = [...found.entries()];
  const lost = parts.flatMap(([, part]) => (part.ranks.length === 0 ? part.lost : []));
  if (lost.length > 0) {
    requireDevices({ health, op: "verify", mesh, ranks: lost, phase: "read" });
  }
  checkLocals(x, { op: "verify", ranks: parts.flatMap(([, { ranks }]) => ranks) });
  return parts.map(([key, { slices, ranks }]) => ({ key, slices, copies: copiesOf(x, ranks) }));
}

/** True when the tensor holds sums that are not finished. */
export function isPartial({ layout }: DistTensor): boolean {
  return layout.axesWith("partial").length > 0;
}

/** Refuses to compare unfinished sums with something that does not lie like them. */
export function partialError({ mesh, layout }: DistTensor): TesseraError<"E_LAYOUT_PARTIAL"> {
  const partial = layout.axesWith("partial");
  const placement = layout.placements[partial[0] ?? 0];
  return new TesseraError("E_LAYOUT_PARTIAL", {
    op: placement?.kind === "partial" ? placement.op : "sum",
    axes: partial.map((axis) => mesh.axes[axis] ?? "").join(", "),
  });
}

function copiesOf(x: DistTensor, ranks: readonly number[]): readonly [Copy, ...Copy[]] {
  const byBlock = new Map<Block, number[]>();
  for (const rank of ranks) {
    const block = x.block(rank);
    byBlock.set(block, [...(byBlock.get(block) ?? []), rank]);
  }
  // Blocks that are not one and the same may still hold the same bits.
  const copies: { block: Block; ranks: number[] }[] = [];
  for (const [block, its] of byBlock) {
    const same = copies.find((one) => sameBits(wholeOfBlock(one.block), wholeOfBlock(block)));
    if (same === undefined) copies.push({ block, ranks: its });
    else same.ranks.push(...its);
  }
  for (const copy of copies) copy.ranks.sort((one, other) => one - other);
  copies.sort(
    (one, other) =>
      other.ranks.length - one.ranks.length || (one.ranks[0] ?? 0) - (other.ranks[0] ?? 0),
  );
  return copies as unknown as readonly [Copy, ...Copy[]];
}
