import { CudaTensor } from "../../cuda/tensor/index.ts";
import { AssembledBlock } from "../../dist/array/assembled-block.ts";
import { DistTensor } from "../../dist/array/index.ts";
import type { DimSlice } from "../../dist/layout/index.ts";
import { allocateRaw } from "../../tensor/dtype/index.ts";
import { contiguousStrides, formatShape, sameShape } from "../../tensor/shape.ts";
import type { AnyTensor } from "./comparable.ts";
import { isPartial, type Part, partialError, partsOf } from "./holdings.ts";
import { type Reader, wholeOfBlock, wholeOfCuda, wholeOfTensor } from "./readers.ts";
import { bitsAt, type ElementBits } from "./ulp.ts";

/** One side of a stretch that is compared. */
export interface Side {
  /** More than one where replicas disagree; each is complete. */
  readonly versions: readonly [Reader, ...Reader[]];
  readonly parts: readonly Part[];
}

/** Elements that are compared with each other: two wholes, or two parts of unfinished sums. */
export interface Section {
  readonly a: Side;
  readonly b: Side;
  readonly shape: readonly number[];
  /** The index in the whole of an element of the section. */
  readonly indexOf: (flat: number) => readonly number[];
}

/** What there is to compare of two tensors, or why there is nothing. */
export type Comparison =
  | { readonly mismatch: string }
  | {
      readonly sections: readonly Section[];
      readonly parts: { a: readonly Part[]; b: readonly Part[] };
    };

/** So many different copies of a part are compared element by element; more are only named. */
const versionsMax = 8;

/** True for two tensors on one mesh whose parts are the same parts. */
export function lieAlike(a: AnyTensor, b: AnyTensor): boolean {
  return (
    a instanceof DistTensor &&
    b instanceof DistTensor &&
    a.mesh.equals(b.mesh) &&
    a.layout.equals(b.layout)
  );
}

/** Why two tensors cannot have the same elements; undefined when they could. */
export function mismatchOf(a: AnyTensor, b: AnyTensor): string | undefined {
  if (sameShape(a.shape, b.shape) && a.dtype === b.dtype) return undefined;
  return `${a.dtype}${formatShape(a.shape)} against ${b.dtype}${formatShape(b.shape)}`;
}

/**
 * Lines two tensors up for a walk in pieces. Nothing is put together: an element is read where it lies
 * when the walk gets there.
 *
 * @throws E_LAYOUT_PARTIAL for unfinished sums unless both lie alike; E_DESYNC, E_DEVICE_LOST
 */
export function comparisonOf(a: AnyTensor, b: AnyTensor): Comparison {
  const mismatch = mismatchOf(a, b);
  if (mismatch !== undefined) return { mismatch };
  return alignedOf(a, b);
}

/** The same for tensors of one shape; their dtypes may differ. @throws as `comparisonOf` */
export function alignedOf(a: AnyTensor, b: AnyTensor): Exclude<Comparison, { mismatch: string }> {
  const parts = { a: heldBy(a), b: heldBy(b) };
  const partial = [a, b].find((x): x is DistTensor => x instanceof DistTensor && isPartial(x));
  if (partial === undefined) {
    const { shape } = a;
    const [one, other] = [wholeSide(a, parts.a), wholeSide(b, parts.b)];
    const section = { a: one, b: other, shape, indexOf: indexIn(shape) };
    return { sections: [section], parts };
  }
  if (!lieAlike(a, b)) throw partialError(partial);
  const others = new Map(parts.b.map((part) => [part.key, part]));
  const sections = parts.a.flatMap((part) => {
    const other = others.get(part.key);
    if (other === undefined) return [];
    const { slices } = part;
    const shape = slices.map(({ count }) => count);
    const local = indexIn(shape);
    const indexOf = (flat: number) => local(flat).map((at, dim) => inWhole(slices[dim], at));
    return [{ a: partSide(part), b: partSide(other), shape, indexOf }];
  });
  return { sections, parts };
}

/** The ranks whose copy of an element has these bits. */
export function holdersOf(
  { parts }: Side,
  at: { readonly index: readonly number[]; readonly bits: ElementBits },
): readonly number[] {
  const ranks = parts.flatMap(({ slices, copies }) => {
    const local = slices.map((slice, dim) => (at.index[dim] as number) - slice.start);
    const isHere = slices.every(({ step, count }, dim) => {
      const place = (local[dim] as number) / step;
      return place >= 0 && place < count && Number.isInteger(place);
    });
    if (!isHere) return [];
    const strides = contiguousStrides(slices.map(({ count }) => count));
    const flat = slices.reduce(
      (sum, { step }, dim) => sum + ((local[dim] as number) / step) * (strides[dim] as number),
      0,
    );
    return copies.flatMap(({ block, ranks: its }) => {
      const raw = allocateRaw(block.dtype, 1);
      block.read(raw, { start: flat, count: 1, outStart: 0 });
      const { low, high } = bitsAt(raw, 0);
      return low === at.bits.low && high === at.bits.high ? its : [];
    });
  });
  return ranks.toSorted((one, other) => one - other);
}

function heldBy(x: AnyTensor): readonly Part[] {
  return x instanceof DistTensor ? partsOf(x) : [];
}

function wholeSide(x: AnyTensor, parts: readonly Part[]): Side {
  if (x instanceof CudaTensor) return { versions: [wholeOfCuda(x)], parts };
  if (!(x instanceof DistTensor)) return { versions: [wholeOfTensor(x)], parts };
  const { dtype, shape } = x;
  const versions = countVersions(parts).map((version) => {
    const pieces = parts.map(({ slices, copies }) => {
      const { block } = copies[version] ?? copies[0];
      return { slices, block };
    });
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return wholeOfBlock(only.block);
    return wholeOfBlock(new AssembledBlock({ dtype, shape, pieces }));
  });
  return { versions: versions as unknown as Side["versions"], parts };
}

function partSide(part: Part): Side {
  const versions = countVersions([part]).map((version) =>
    wholeOfBlock((part.copies[version] ?? part.copies[0]).block),
  );
  return { versions: versions as unknown as Side["versions"], parts: [part] };
}

function countVersions(parts: readonly Part[]): readonly number[] {
  const most = parts.reduce((max, { copies }) => Math.max(max, copies.length), 1);
  return Array.from({ length: Math.min(most, versionsMax) }, (_, version) => version);
}

function inWhole(slice: DimSlice | undefined, at: number): number {
  return slice === undefined ? at : slice.start + at * slice.step;
}

/** Row-major indices of a shape. */
function indexIn(shape: readonly number[]): (flat: number) => readonly number[] {
  const strides = contiguousStrides(shape);
  return (flat) =>
    shape.map((length, dim) => Math.floor(flat / (strides[dim] as number)) % Math.max(length, 1));
}
