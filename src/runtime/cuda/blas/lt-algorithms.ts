import type { CublasLtFunctions } from "../ffi/cublas-lt.ts";
import {
  checkLt,
  createdHandle,
  i32Bytes,
  i64Bytes,
  ltAttributes,
  ordinaryReduction,
} from "./lt-calls.ts";
import type { LtDescriptors } from "./lt-descriptors.ts";

/** One way in which cuBLASLt can compute a product. */
export interface LtAlgorithm {
  /** As the library wants it back. */
  readonly bytes: Uint8Array;
  readonly workspaceBytes: number;
  /** What it is, the same on every machine with the same library: `algo 66 tile 20 stages 36 …`. */
  readonly id: string;
}

// sizeof(cublasLtMatmulHeuristicResult_t), and where its fields lie.
const resultBytes = 96;
const algorithmBytes = 64;
const workspaceAt = 64;
const stateAt = 72;

const configs = [
  ["algo", 0],
  ["tile", 1],
  ["splitk", 2],
  ["reduction", 3],
  ["swizzle", 4],
  ["custom", 5],
  ["stages", 6],
] as const;
// Two bytes each, and unknown to older libraries.
const shortConfigs = [
  ["inner", 7],
  ["cluster", 8],
] as const;

export interface AskAlgorithms {
  readonly handle: bigint;
  readonly descriptors: LtDescriptors;
  /** At most this much may they need. */
  readonly workspaceBytes: number;
  /** How many to give, best first. */
  readonly count: number;
  /** The product, for errors. */
  readonly what: string;
}

/**
 * What the library's heuristic advises, best first. Sums that depend on the order in which blocks
 * finish are left out: equal inputs have equal results.
 *
 * @throws E_CUDA CUBLAS_STATUS_NOT_SUPPORTED when there is none.
 */
export function askAlgorithms(lt: CublasLtFunctions, ask: AskAlgorithms): readonly LtAlgorithm[] {
  const { handle, descriptors, count, what } = ask;
  const preference = createdHandle((into) =>
    checkLt("cublasLtMatmulPreferenceCreate", lt.cublasLtMatmulPreferenceCreate(into), what),
  );
  try {
    const set = (attribute: number, value: Uint8Array) =>
      checkLt(
        "cublasLtMatmulPreferenceSetAttribute",
        lt.cublasLtMatmulPreferenceSetAttribute(preference, attribute, value, value.length),
        what,
      );
    set(ltAttributes.workspaceBytes, i64Bytes(ask.workspaceBytes));
    set(ltAttributes.reductionSchemes, i32Bytes(ordinaryReduction));
    const results = new Uint8Array(resultBytes * count);
    const returned = new Uint8Array(4);
    const { product, first, second, out } = descriptors;
    const call = "cublasLtMatmulAlgoGetHeuristic";
    const status = lt.cublasLtMatmulAlgoGetHeuristic(
      handle,
      product,
      first,
      second,
      out,
      out,
      preference,
      count,
      results,
      returned,
    );
    checkLt(call, status, what);
    const found = readResults(lt, results, new DataView(returned.buffer).getInt32(0, true));
    // 15 is what the library says itself when it knows none.
    if (found.length === 0) checkLt(call, 15, what);
    return found;
  } finally {
    lt.cublasLtMatmulPreferenceDestroy(preference);
  }
}

function readResults(lt: CublasLtFunctions, results: Uint8Array, count: number): LtAlgorithm[] {
  const found: LtAlgorithm[] = [];
  const view = new DataView(results.buffer);
  for (let at = 0; at < count; at++) {
    const start = at * resultBytes;
    if (view.getInt32(start + stateAt, true) !== 0) continue;
    const bytes = results.slice(start, start + algorithmBytes);
    const workspaceBytes = Number(view.getBigUint64(start + workspaceAt, true));
    found.push({ bytes, workspaceBytes, id: describeAlgorithm(lt, bytes) });
  }
  return found;
}

function describeAlgorithm(lt: CublasLtFunctions, algorithm: Uint8Array): string {
  const read = (attribute: number, width: number): number | undefined => {
    const value = new Uint8Array(4);
    const written = new Uint8Array(8);
    const status = lt.cublasLtMatmulAlgoConfigGetAttribute(
      algorithm,
      attribute,
      value,
      width,
      written,
    );
    return status === 0 ? new DataView(value.buffer).getUint32(0, true) : undefined;
  };
  const words = [
    ...configs.map(([name, attribute]) => ({ name, value: read(attribute, 4) })),
    ...shortConfigs.map(([name, attribute]) => ({ name, value: read(attribute, 2) })),
  ];
  return words
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => `${name} ${value}`)
    .join(" ");
}
