import { dtypeError } from "../../tensor/ops/operands.ts";
import type { CudaDType } from "../tensor/cuda-dtype.ts";

/** A product of row-major matrices, or of a batch of them: out = alpha a b (+ out). */
export interface ProductSpec {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly batches: number;
  readonly aDtype: CudaDType;
  readonly bDtype: CudaDType;
  readonly outDtype: CudaDType;
  /** `a` is stored as [k, m]. */
  readonly transposeA: boolean;
  /** `b` is stored as [n, k]. */
  readonly transposeB: boolean;
  /** One `b` for all of the batch. */
  readonly sharedB: boolean;
  /** f32 factors are cut to TF32. */
  readonly tf32: boolean;
  /** Sums of fp8 products stay in the tensor cores' own, shorter format. */
  readonly fastAccumulate: boolean;
  /** Multiprocessors to plan for; 0: all. */
  readonly smCountTarget: number;
}

/** cuBLAS's numbers of the formats (cudaDataType_t). */
export const cudaDataTypes: Readonly<Partial<Record<CudaDType, number>>> = {
  f32: 0,
  f64: 1,
  f16: 2,
  i8: 3,
  i32: 10,
  bf16: 14,
  e4m3: 28,
  e5m2: 29,
};

const computeTypes = { f32: 68, f64: 70, i32: 72, tf32: 77 } as const;

/** How cuBLASLt computes a product: the type of sums, and of alpha and beta. */
export interface ComputeKind {
  readonly computeType: number;
  readonly scaleType: number;
  readonly scale: "f32" | "f64" | "i32";
  /** The tensor cores take only a row-major `a` and a transposed `b` in this format. */
  readonly onlyTransposedB: boolean;
}

const f8 = new Set<CudaDType>(["e4m3", "e5m2"]);

/** The format of a product where none is asked for. */
export function defaultOutDtype(a: CudaDType): CudaDType {
  if (a === "i8") return "i32";
  return f8.has(a) ? "f32" : a;
}

/**
 * How to compute with these formats.
 *
 * @throws E_DTYPE for formats that cuBLASLt does not multiply.
 */
export function computeKindOf(spec: Omit<ProductSpec, "m" | "n" | "k" | "batches">): ComputeKind {
  const { aDtype, bDtype, outDtype, tf32 } = spec;
  const single = { computeType: computeTypes.f32, scaleType: 0, scale: "f32" } as const;
  if (f8.has(aDtype) && f8.has(bDtype)) {
    if (aDtype === "e5m2" && bDtype === "e5m2") {
      throw dtypeError("matmul", "GPUs multiply e5m2 by e4m3, not by e5m2");
    }
    requireOut(spec, ["f32", "bf16", "f16"]);
    return { ...single, onlyTransposedB: true };
  }
  if (aDtype !== bDtype) throw dtypeError("matmul", `${aDtype} meets ${bDtype}`);
  switch (aDtype) {
    case "f64":
      requireOut(spec, ["f64"]);
      return {
        computeType: computeTypes.f64,
        scaleType: 1,
        scale: "f64",
        onlyTransposedB: false,
      };
    case "f32":
      requireOut(spec, ["f32"]);
      return {
        ...single,
        computeType: tf32 ? computeTypes.tf32 : computeTypes.f32,
        onlyTransposedB: false,
      };
    case "f16":
    case "bf16":
      requireOut(spec, [aDtype, "f32"]);
      return { ...single, onlyTransposedB: false };
    case "i8":
      requireOut(spec, ["i32"]);
      return { computeType: computeTypes.i32, scaleType: 10, scale: "i32", onlyTransposedB: true };
    default:
      throw dtypeError("matmul", `a GPU does not multiply matrices of ${aDtype} (${outDtype})`);
  }
}

function requireOut(
  { aDtype, outDtype }: Pick<ProductSpec, "aDtype" | "outDtype">,
  allowed: readonly CudaDType[],
): void {
  if (allowed.includes(outDtype)) return;
  throw dtypeError(
    "matmul",
    `a product of ${aDtype} is given as ${allowed.join(" or ")}, not as ${outDtype}`,
  );
}

/** A matrix as cuBLASLt sees it: column-major. */
export interface ColumnMajor {
  readonly rows: number;
  readonly columns: number;
  /** Elements from one column to the next. */
  readonly leading: number;
  /** Elements from one matrix of the batch to the next; 0 for the same one. */
  readonly batchStride: number;
  readonly transposed: boolean;
}

/**
 * The operands in cuBLASLt's order. Row-major matrices are column-major ones transposed, and
 * (a b)ᵀ = bᵀ aᵀ: so `b` comes first and nothing is moved.
 */
export function columnMajor(spec: ProductSpec): {
  readonly first: ColumnMajor;
  readonly second: ColumnMajor;
  readonly out: ColumnMajor;
} {
  const { m, n, k, transposeA, transposeB, sharedB } = spec;
  return {
    first: {
      ...(transposeB
        ? { rows: k, columns: n, leading: k, transposed: true }
        : { rows: n, columns: k, leading: n, transposed: false }),
      batchStride: sharedB ? 0 : n * k,
    },
    second: {
      ...(transposeA
        ? { rows: m, columns: k, leading: m, transposed: true }
        : { rows: k, columns: m, leading: k, transposed: false }),
      batchStride: m * k,
    },
    out: { rows: n, columns: m, leading: n, transposed: false, batchStride: m * n },
  };
}
