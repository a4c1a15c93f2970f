import { compareWithTile } from "../../cuda/ops/compare-tile.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { type AnyTensor, type Comparable, isTensor, placesOf } from "./comparable.ts";
import { partsOf } from "./holdings.ts";
import { sameBits, wholeOfBlock } from "./readers.ts";
import { comparisonOf, lieAlike, mismatchOf } from "./sections.ts";

/**
 * Whether two things are the same, bit for bit: -0 is not 0, and one NaN not another. Tensors of this
 * host, of a GPU and of a mesh go together; other shapes or dtypes are unequal, and so are records
 * whose names differ.
 *
 * On a mesh every copy counts: a tensor whose replicas disagree has no value, and is equal to nothing,
 * not even to itself. Parts that lie alike are compared where they are, others piece by piece; nothing
 * is put together. Unfinished sums are compared term by term, and only with what lies like them.
 *
 * @throws E_LAYOUT_PARTIAL, E_DESYNC, E_DEVICE_LOST, E_CUDA; E_VERIFY for what cannot be compared.
 */
export function equal(a: Comparable, b: Comparable): boolean {
  const [ofA, ofB] = [placesOf(a), placesOf(b)];
  if (ofA.size !== ofB.size) return false;
  for (const [path, one] of ofA) {
    const other = ofB.get(path);
    if (other?.kind !== one.kind) return false;
    if (one.kind !== "leaf" || other.kind !== "leaf") continue;
    if (!sameLeaf(one.value, other.value)) return false;
  }
  return true;
}

function sameLeaf(a: unknown, b: unknown): boolean {
  if (isTensor(a) && isTensor(b)) return sameTensor(a, b);
  return Object.is(a, b);
}

function sameTensor(a: AnyTensor, b: AnyTensor): boolean {
  if (mismatchOf(a, b) !== undefined) return false;
  if (a instanceof CudaTensor && b instanceof CudaTensor && a.device === b.device) {
    return sameOnGpu(a, b);
  }
  if (a instanceof DistTensor && b instanceof DistTensor && lieAlike(a, b)) return sameParts(a, b);
  const comparison = comparisonOf(a, b);
  if ("mismatch" in comparison) return false;
  return comparison.sections.every(
    ({ a: one, b: other }) =>
      one.versions.length === 1 &&
      other.versions.length === 1 &&
      sameBits(one.versions[0], other.versions[0]),
  );
}

function sameParts(a: DistTensor, b: DistTensor): boolean {
  const others = new Map(partsOf(b).map((part) => [part.key, part]));
  return partsOf(a).every(({ key, copies }) => {
    const [one] = copies;
    const other = others.get(key);
    if (copies.length !== 1 || other?.copies.length !== 1) return false;
    const [{ block }] = other.copies;
    return block === one.block || sameBits(wholeOfBlock(one.block), wholeOfBlock(block));
  });
}

/** The GPU compares; only the answer comes to the host. */
function sameOnGpu(a: CudaTensor, b: CudaTensor): boolean {
  if (a.size === 0) return true;
  const columns = [4096, 1024, 256, 64].find((width) => a.size % width === 0) ?? lastOf(a);
  using one = a.reshape([a.size / columns, columns]);
  using other = b.reshape([b.size / columns, columns]);
  return compareWithTile(one, other) === undefined;
}

function lastOf({ shape }: CudaTensor): number {
  return shape.at(-1) ?? 1;
}
