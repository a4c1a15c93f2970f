import assert from "node:assert/strict";
import { philoxWords } from "../../tensor/random/philox-words.ts";
import { philoxKeyOf } from "../../tensor/random/random-spec.ts";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import type { DeviceBuffer } from "../device/device.ts";
import { checksumKernels } from "../kernels/checksum-kernels.ts";
import { launchKernel } from "../kernels/launch.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { type CudaDType, cudaDtypeBytes } from "../tensor/cuda-dtype.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { requireOneDevice } from "./operands.ts";

export interface ProductCheckOptions {
  /** [m, k], and [k, n]: the factors, which stay the same for all products. */
  readonly a: CudaTensor;
  readonly b: CudaTensor;
  /** Of the products. @default that of the factors */
  readonly dtype?: CudaDType;
  /** `a` is given as [k, m]. @default false */
  readonly transposeA?: boolean;
  /** `b` is given as [n, k]. @default false */
  readonly transposeB?: boolean;
  /** Factor of the products. @default 1 */
  readonly alpha?: number;
  /** Of the random signs. @default 0 */
  readonly seed?: number;
  /**
   * How far the sum of a row may be off, as a share of the root of its sum of squares.
   * @default eight standard deviations of what rounding to bf16 leaves; 2^-7 for f16 and f32, whose
   * factors may be cut to 11 bits; 2^-36 for f64; 0 for i32
   */
  readonly tolerance?: number;
}

/** What the checks so far have found. */
export interface ProductCheckResult {
  /** Products checked. */
  readonly checks: number;
  readonly wrongProducts: number;
  /** Rows that were wrong, in all products together. */
  readonly wrongRows: number;
  /** The first wrong one: the number of the check, from 0, and a row. */
  readonly first: { readonly check: number; readonly row: number } | undefined;
}

/** Checks products of two fixed matrices on the fly; see `createProductCheck`. */
export interface ProductCheck extends Disposable {
  /** Puts the check of a product on a stream; the product must not change before it is done. */
  check(c: CudaTensor, on?: OnStream): void;
  /** Waits for the stream of the last check and says what was found. @throws E_CUDA */
  result(): ProductCheckResult;
  /** Memory it holds on the GPU. */
  readonly bytes: number;
  free(): void;
}

// Small blocks, one row for each warp: they find room on multiprocessors as those run out of tiles
// of the next product, and the product is not held up.
const threads = 256;
const blocksMax = 1024;
const foundBytes = 32;
const rowBits = 24;

/**
 * A check of c = a b that reads c once: for each row, the sum of c[i, j] r[j] with random signs r
 * against (a (b r))[i], which is made here, once, in f64; and the hash of the row's bits against
 * that of the first product, so that from the second on a single flipped bit anywhere is found.
 *
 * @throws E_SHAPE unless rows of c are multiples of 16 bytes; E_CUDA
 */
export function createProductCheck(options: ProductCheckOptions): ProductCheck {
  const { a, b, transposeA = false, transposeB = false, dtype = a.dtype } = options;
  const device = requireOneDevice("createProductCheck", a, b);
  const [m, k] = matrixOf(a, transposeA);
  const [inner, n] = matrixOf(b, transposeB);
  const width = cudaDtypeBytes(dtype);
  if (k !== inner || (n * width) % 16 !== 0 || m >= 2 ** rowBits) {
    throw shapeError(
      "createProductCheck",
      `products of ${formatShape(a.shape)} by ${formatShape(b.shape)} in ${dtype} cannot be checked: rows of the result are multiples of 16 bytes`,
    );
  }
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const allocate = (bytes: number): DeviceBuffer =>
    keep(device.memory.allocate(bytes, { purpose: "the check of products" }));
  const free = () => {
    for (const one of held.splice(0)) one[Symbol.dispose]();
  };
  try {
    const signs = allocate(4 * Math.ceil(n / 32));
    device.stream.upload({ buffer: signs }, signBits(n, options.seed ?? 0));
    const expected = allocate(8 * m);
    expectedInto(expected, { ...options, dims: { m, n, k }, signs });
    const state: CheckState = {
      signs,
      expected,
      tolerances: allocate(8 * m),
      hashes: allocate(8 * m),
      found: allocate(foundBytes),
    };
    device.stream.upload({ buffer: state.found }, new Uint8Array(foundBytes).fill(0xff, 24));
    device.stream.synchronize();
    return productCheck({ ...options, dtype, m, n, state, free });
  } catch (error) {
    free();
    throw error;
  }
}

interface CheckState {
  readonly signs: DeviceBuffer;
  readonly expected: DeviceBuffer;
  readonly tolerances: DeviceBuffer;
  readonly hashes: DeviceBuffer;
  readonly found: DeviceBuffer;
}

interface CheckOf extends ProductCheckOptions {
  readonly dtype: CudaDType;
  readonly m: number;
  readonly n: number;
  readonly state: CheckState;
  readonly free: () => void;
}

function productCheck({ a, dtype, m, n, state, free, ...options }: CheckOf): ProductCheck {
  const { device } = a;
  const { signs, expected, tolerances, hashes, found } = state;
  const source = checksumKernels.source({ T: dtype });
  const relative = options.tolerance ?? defaultTolerance(dtype);
  let checks = 0;
  let last = device.stream;
  return {
    bytes: signs.bytes + 24 * m + foundBytes,
    check: (c, { stream = device.stream } = {}) => {
      assert(c.dtype === dtype && c.shape.at(-1) === n && c.size === m * n, "a product of these");
      const rows = [{ i64: m }, { i64: n }];
      const first = checks === 0;
      const inputs = [{ ptr: c.buffer }, { ptr: signs }, { ptr: expected }];
      const kept = [{ ptr: tolerances }, { ptr: hashes }];
      launchKernel(device, {
        source,
        kernel: first ? "check_learn" : "check_rows",
        grid: Math.min(blocksMax, Math.ceil((32 * m) / threads)),
        block: threads,
        args: first
          ? [...inputs, ...rows, { f64: relative }, ...kept, { ptr: found }]
          : [...inputs, ...kept, ...rows, { u64: checks }, { ptr: found }],
        stream,
      });
      checks++;
      last = stream;
    },
    result: () => {
      const bytes = new Uint8Array(foundBytes);
      last.download({ buffer: found }, bytes);
      const words = new BigUint64Array(bytes.buffer);
      const [wrongRows = 0n, wrongProducts = 0n, , firstWrong = 0n] = words;
      const first =
        wrongRows === 0n
          ? undefined
          : {
              check: Number(firstWrong >> BigInt(rowBits)),
              row: Number(firstWrong & ((1n << BigInt(rowBits)) - 1n)),
            };
      return {
        checks,
        wrongProducts: Number(wrongProducts),
        wrongRows: Number(wrongRows),
        first,
      };
    },
    free,
    [Symbol.dispose]: free,
  };
}

/** Writes alpha a (b r) in f64. */
function expectedInto(
  expected: DeviceBuffer,
  o: ProductCheckOptions & {
    readonly dims: { readonly m: number; readonly n: number; readonly k: number };
    readonly signs: DeviceBuffer;
  },
): void {
  const { a, b, alpha = 1, signs } = o;
  const { m, n, k } = o.dims;
  const { device } = a;
  using rowsOfB = o.transposeB === true ? b.transpose() : b.reshape(b.shape);
  using rowsOfA = o.transposeA === true ? a.transpose() : a.reshape(a.shape);
  using through = device.memory.allocate(8 * k);
  const grid = device.properties.multiprocessors;
  const args = { grid, block: threads };
  launchKernel(device, {
    source: checksumKernels.source({ T: b.dtype }),
    kernel: "row_sums",
    ...args,
    args: [{ ptr: rowsOfB.buffer }, { ptr: signs }, { i64: k }, { i64: n }, { ptr: through }],
  });
  launchKernel(device, {
    source: checksumKernels.source({ T: a.dtype }),
    kernel: "row_dots",
    ...args,
    args: [
      { ptr: rowsOfA.buffer },
      { ptr: through },
      { i64: m },
      { i64: k },
      { f64: alpha },
      { ptr: expected },
    ],
  });
}

/** A random sign for each column: every element of a row counts alike, and nothing is rounded. */
function signBits(count: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(count / 32));
  philoxWords(philoxKeyOf({ kind: "uniform", seed, stream: "product-check" }), 0, words);
  return new Uint8Array(words.buffer);
}

function defaultTolerance(dtype: CudaDType): number {
  if (dtype === "i32") return 0;
  // An element is off by up to 2^-8 of itself, evenly spread: 2^-8 / sqrt(3) is its deviation.
  if (dtype === "bf16") return (8 * 2 ** -8) / Math.sqrt(3);
  return dtype === "f64" ? 2 ** -36 : 2 ** -7;
}

function matrixOf({ shape }: CudaTensor, transposed: boolean): readonly [number, number] {
  const [rows, columns] = shape;
  if (rows === undefined || columns === undefined || shape.length !== 2) {
    throw shapeError("createProductCheck", `${formatShape(shape)} is no matrix`);
  }
  return transposed ? [columns, rows] : [rows, columns];
}
