import assert from "node:assert/strict";
import { dtypeError } from "../../tensor/ops/operands.ts";
import { formatShape, sameShape, shapeError, sizeOf } from "../../tensor/shape.ts";
import { blasOf, type ProductOperands, type ProductPlan } from "../blas/index.ts";
import { computeKindOf, defaultOutDtype, type ProductSpec } from "../blas/product.ts";
import type { CudaDevice, CudaStream } from "../device/device.ts";
import type { IntoTensor } from "../tensor/cuda-array.ts";
import type { CudaDType } from "../tensor/cuda-dtype.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { requireOneDevice } from "./operands.ts";

export interface CudaMatmulOptions extends IntoTensor<CudaTensor> {
  /** Of the result. @default that of the factors; f32 for fp8, i32 for i8 */
  readonly outDtype?: CudaDType;
  /** Adds the product to what `out` holds. @default false */
  readonly accumulate?: boolean;
  /** Factor of the product. @default 1 */
  readonly alpha?: number;
  /** `a` is given as [..., k, m]. @default false */
  readonly transposeA?: boolean;
  /** `b` is given as [..., n, k]. @default false */
  readonly transposeB?: boolean;
  /** Cuts f32 factors to the 11 bits that the tensor cores take. @default false */
  readonly tf32?: boolean;
  /** Faster and less exact sums of fp8 products. @default false */
  readonly fastAccumulate?: boolean;
  /** Leaves the other multiprocessors to other streams. @default all */
  readonly smCountTarget?: number;
  /** Times the advised algorithms at the first product of a kind and keeps the fastest. @default false */
  readonly tune?: boolean;
}

/**
 * The product of matrices on a GPU by cuBLASLt, [..., m, k] by [..., k, n] or [k, n]: f64, f32 (with
 * `tf32` or without), f16, bf16, fp8 and i8. Sums are f32 (f64 for f64, i32 for i8). The same inputs
 * on the same GPU model with the same library give the same bits.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function matmul(a: CudaTensor, b: CudaTensor, options: CudaMatmulOptions = {}): CudaTensor {
  const device = requireOneDevice("matmul", a, b, options.out);
  const { spec, shape } = specOf(a, b, options);
  const { stream = device.stream, alpha = 1, accumulate = false, tune = false } = options;
  const out = resultOf(device, { spec, shape }, options);
  if (out.size === 0) return out;
  try {
    using turned = operandsForTensorCores({ a, b, spec, stream });
    const engine = blasOf(device);
    const plan = engine.plan(turned.spec);
    const operands: ProductOperands = {
      a: { buffer: turned.a.buffer },
      b: { buffer: turned.b.buffer },
      out: { buffer: out.buffer },
      alpha,
      accumulate,
      stream,
    };
    if (tune && !accumulate) engine.tune(plan, operands);
    engine.run(plan, operands);
    return out;
  } catch (error) {
    if (out !== options.out) out.free();
    throw error;
  }
}

/** The algorithm that `matmul` uses for these factors, for a software key. @throws as matmul */
export function matmulAlgorithm(
  a: CudaTensor,
  b: CudaTensor,
  options: CudaMatmulOptions = {},
): string {
  const device = requireOneDevice("matmul", a, b);
  const { spec } = specOf(a, b, options);
  const plan: ProductPlan = blasOf(device).plan(asTensorCoresTakeIt(spec));
  return plan.algorithm.id;
}

/** Version of the library behind `matmul`: `13.0.0`. @throws E_CUDA_UNAVAILABLE */
export function matmulLibraryVersion(device: CudaDevice): string {
  const { version } = blasOf(device);
  // 120800 from 12 on: two digits each for minor and patch.
  return [Math.floor(version / 10_000), Math.floor(version / 100) % 100, version % 100].join(".");
}

function specOf(a: CudaTensor, b: CudaTensor, options: CudaMatmulOptions) {
  const { transposeA = false, transposeB = false } = options;
  const [aRows, aColumns] = matrixOf(a);
  const [bRows, bColumns] = matrixOf(b);
  const [m, k] = transposeA ? [aColumns, aRows] : [aRows, aColumns];
  const [inner, n] = transposeB ? [bColumns, bRows] : [bRows, bColumns];
  if (k !== inner) {
    throw shapeError(
      "matmul",
      `${k} columns of ${formatShape(a.shape)} meet ${inner} rows of ${formatShape(b.shape)}`,
    );
  }
  const batch = a.shape.slice(0, -2);
  const sharedB = b.shape.length === 2;
  if (!sharedB && !sameShape(batch, b.shape.slice(0, -2))) {
    throw shapeError(
      "matmul",
      `the batches of ${formatShape(a.shape)} and ${formatShape(b.shape)} differ`,
    );
  }
  // With one `b` for all, the batches are more rows of one product.
  const joined = sharedB && !transposeA;
  const spec: ProductSpec = {
    m: joined ? sizeOf([...batch, m]) : m,
    n,
    k,
    batches: joined ? 1 : sizeOf(batch),
    aDtype: a.dtype,
    bDtype: b.dtype,
    outDtype: options.outDtype ?? options.out?.dtype ?? defaultOutDtype(a.dtype),
    transposeA,
    transposeB,
    sharedB: sharedB && !joined,
    tf32: options.tf32 ?? false,
    fastAccumulate: options.fastAccumulate ?? false,
    smCountTarget: options.smCountTarget ?? 0,
  };
  const { onlyTransposedB } = computeKindOf(spec);
  if (onlyTransposedB && [spec.m, n, k].some((length) => length % 16 !== 0)) {
    throw shapeError(
      "matmul",
      `products of ${a.dtype} are of multiples of 16, not of ${spec.m}, ${k} and ${n}`,
    );
  }
  if (k === 0) throw shapeError("matmul", "there is nothing to sum over");
  return { spec, shape: [...batch, m, n] };
}

function resultOf(
  device: CudaDevice,
  { spec, shape }: { readonly spec: ProductSpec; readonly shape: readonly number[] },
  { out, accumulate = false }: CudaMatmulOptions,
): CudaTensor {
  const dtype = spec.outDtype;
  if (out === undefined) {
    assert(!accumulate, "there is an `out` to add to");
    return CudaTensor.allocate(device, { dtype, shape });
  }
  if (out.dtype !== dtype) throw dtypeError("matmul", `out is ${out.dtype}, the product ${dtype}`);
  if (!sameShape(out.shape, shape)) {
    throw shapeError(
      "matmul",
      `out is ${formatShape(out.shape)}, the product ${formatShape(shape)}`,
    );
  }
  return out;
}

function asTensorCoresTakeIt(spec: ProductSpec): ProductSpec {
  if (!computeKindOf(spec).onlyTransposedB) return spec;
  return { ...spec, transposeA: false, transposeB: true };
}

/** fp8 and i8 factors lie along k for the tensor cores: one that does not is copied so. */
function operandsForTensorCores(given: {
  readonly a: CudaTensor;
  readonly b: CudaTensor;
  readonly spec: ProductSpec;
  readonly stream: CudaStream;
}) {
  const { spec, stream } = given;
  const wanted = asTensorCoresTakeIt(spec);
  const turn = (x: CudaTensor) => x.transpose(-2, -1, { stream });
  const a = wanted.transposeA === spec.transposeA ? given.a : turn(given.a);
  const b = wanted.transposeB === spec.transposeB ? given.b : turn(given.b);
  return {
    spec: wanted,
    a,
    b,
    [Symbol.dispose]: () => {
      if (a !== given.a) a.free();
      if (b !== given.b) b.free();
    },
  };
}

function matrixOf({ shape }: CudaTensor): readonly [number, number] {
  const [rows, columns] = shape.slice(-2);
  if (rows !== undefined && columns !== undefined) return [rows, columns];
  throw shapeError("matmul", `${formatShape(shape)} is no matrix`);
}
