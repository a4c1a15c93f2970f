import type { CublasLtFunctions } from "../ffi/cublas-lt.ts";
import type { CudaDType } from "../tensor/cuda-dtype.ts";
import { checkLt, createdHandle, i32Bytes, i64Bytes, ltAttributes } from "./lt-calls.ts";
import {
  type ColumnMajor,
  columnMajor,
  computeKindOf,
  cudaDataTypes,
  type ProductSpec,
} from "./product.ts";

/** cuBLASLt's descriptions of a product and its three matrices. */
export interface LtDescriptors {
  readonly product: bigint;
  readonly first: bigint;
  readonly second: bigint;
  readonly out: bigint;
  destroy(): void;
}

/** Makes them. What was made before a failure is destroyed. @throws E_CUDA, E_DTYPE */
export function createDescriptors(
  lt: CublasLtFunctions,
  spec: ProductSpec,
  what: string,
): LtDescriptors {
  const undo: (() => void)[] = [];
  const destroy = () => {
    for (const one of undo.splice(0).toReversed()) one();
  };
  try {
    const layouts = columnMajor(spec);
    const product = createProduct(lt, spec, what);
    undo.push(() => lt.cublasLtMatmulDescDestroy(product));
    const layout = (dtype: CudaDType, matrix: ColumnMajor) => {
      const made = createLayout(lt, { dtype, matrix, batches: spec.batches, what });
      undo.push(() => lt.cublasLtMatrixLayoutDestroy(made));
      return made;
    };
    return {
      product,
      first: layout(spec.bDtype, layouts.first),
      second: layout(spec.aDtype, layouts.second),
      out: layout(spec.outDtype, layouts.out),
      destroy,
    };
  } catch (error) {
    destroy();
    throw error;
  }
}

function createProduct(lt: CublasLtFunctions, spec: ProductSpec, what: string): bigint {
  const { computeType, scaleType } = computeKindOf(spec);
  const product = createdHandle((into) =>
    checkLt(
      "cublasLtMatmulDescCreate",
      lt.cublasLtMatmulDescCreate(into, computeType, scaleType),
      what,
    ),
  );
  const set = (attribute: number, value: Uint8Array) =>
    checkLt(
      "cublasLtMatmulDescSetAttribute",
      lt.cublasLtMatmulDescSetAttribute(product, attribute, value, value.length),
      what,
    );
  set(ltAttributes.transposeFirst, i32Bytes(spec.transposeB ? 1 : 0));
  set(ltAttributes.transposeSecond, i32Bytes(spec.transposeA ? 1 : 0));
  if (spec.smCountTarget > 0) set(ltAttributes.smCountTarget, i32Bytes(spec.smCountTarget));
  if (spec.fastAccumulate) set(ltAttributes.fastAccumulate, Uint8Array.of(1));
  return product;
}

interface LayoutOf {
  readonly dtype: CudaDType;
  readonly matrix: ColumnMajor;
  readonly batches: number;
  readonly what: string;
}

function createLayout(lt: CublasLtFunctions, { dtype, matrix, batches, what }: LayoutOf): bigint {
  const { rows, columns, leading, batchStride } = matrix;
  const type = cudaDataTypes[dtype] ?? -1;
  const layout = createdHandle((into) =>
    checkLt(
      "cublasLtMatrixLayoutCreate",
      lt.cublasLtMatrixLayoutCreate(into, type, rows, columns, leading),
      what,
    ),
  );
  if (batches === 1) return layout;
  const set = (attribute: number, value: Uint8Array) =>
    checkLt(
      "cublasLtMatrixLayoutSetAttribute",
      lt.cublasLtMatrixLayoutSetAttribute(layout, attribute, value, value.length),
      what,
    );
  set(ltAttributes.batchCount, i32Bytes(batches));
  set(ltAttributes.batchStride, i64Bytes(batchStride));
  return layout;
}
