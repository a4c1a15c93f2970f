import { ops, rand, Tensor, zeros } from "../../../runtime/tensor/index.ts";
import { matmulF32 } from "../../../runtime/tensor/kernels/index.ts";

/** Rows and columns of the matrices: large enough for 32 threads, small enough for many a sample. */
const side = 1024;
/** How often a matrix is put after itself to fill an area that no usual cache holds. */
const areaRepeats = 16;

/** Floating-point operations of one product. */
export const productFlops = 2 * side ** 3;
/** Bytes read and written by one copy of the area. */
export const copiedBytes = 2 * 4 * side * side * areaRepeats;
/** Memory the work needs, in all. */
export const workingBytes = 256 * 2 ** 20;

/** Two left and two right factors give four products, so that not all bits are always the same. */
export const productCount = 4;

/** Work whose every answer is known beforehand. */
export interface Workload {
  /** One product with all threads; which one, 0 to `productCount` - 1. */
  multiply(which: number): void;
  /** The digest of the last product and of the exact sums of its columns. */
  answer(): { readonly product: string; readonly sums: string };
  /** Copies an area of memory. */
  copy(): void;
  /** The digest of the copy. */
  copied(): string;
}

export function createWorkload({ threads }: { readonly threads: number }): Workload {
  const matrix = (stream: string) =>
    rand([side, side], { seed: "host-compute", stream }).toRaw() as Float32Array;
  const lefts = [matrix("left 0"), matrix("left 1")];
  const rights = [matrix("right 0"), matrix("right 1")];
  const out = zeros([side, side]).toRaw() as Float32Array;
  const area = new Float32Array(side * side * areaRepeats);
  const target = new Float32Array(area.length);
  for (let i = 0; i < areaRepeats; i++) area.set(lefts[0] ?? out, i * side * side);
  return {
    multiply: (which) => {
      const a = lefts[which >> 1] ?? out;
      const b = rights[which & 1] ?? out;
      // What the last product left behind must not pass for this one's answer.
      out.fill(0);
      matmulF32({ a, b, out, m: side, k: side, n: side, threads });
    },
    answer: () => {
      const product = Tensor.over(out, { dtype: "f32", shape: [side, side] });
      const sums = ops.exactSum(product, { dims: 0 }).round("f32");
      return { product: product.digest(), sums: sums.digest() };
    },
    copy: () => target.set(area),
    copied: () => Tensor.over(target, { dtype: "f32", shape: [target.length] }).digest(),
  };
}
