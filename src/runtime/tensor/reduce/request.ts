import assert from "node:assert/strict";
import { type DType, dtypeInfo, type RawArray, storesDType } from "../dtype/index.ts";
import { defaultEngine, type KernelEngine } from "../kernels/index.ts";
import { addendsMax } from "./exact/superaccumulator.ts";
import type { Carrier } from "./fold/arithmetic.ts";
import type { ChunkSource, ReduceOp, ReduceOrder, ReduceRequest } from "./types.ts";

/** Below so many elements over all sources, describing the work to kernels takes longer than it. */
const kernelElementsMin = 32_768;

/** A request with every default filled in. */
export interface ResolvedRequest {
  readonly dtype: DType;
  readonly op: ReduceOp;
  readonly count: number;
  readonly sources: readonly ChunkSource[];
  readonly order: ReduceOrder;
  readonly groups: readonly (readonly number[])[];
  readonly carrier: Carrier;
  readonly out: RawArray;
  readonly outStart: number;
  readonly threads: number | undefined;
  readonly engine: KernelEngine;
}

/** Fills in the defaults. What does not fit together is a mistake of the caller. */
export function resolveRequest(request: ReduceRequest): ResolvedRequest {
  const { dtype, op, count, sources, out, outStart = 0, threads } = request;
  const { order = "exact", accumulate = "f32" } = request;
  const isSmall = count * sources.length < kernelElementsMin;
  const engine = request.engine ?? (isSmall ? "typescript" : defaultEngine());
  const groups = request.groups ?? [sources.map((_, index) => index)];
  assert(Number.isSafeInteger(count) && count >= 0, "a count is a whole number from 0");
  assert(sources.length >= 1 && sources.length <= addendsMax, `1 to ${addendsMax} sources`);
  assert(outStart >= 0 && outStart + count <= out.length, "the result has room");
  assert(storesDType(out, dtype), "the result is stored as the dtype is");
  assertPartition(groups, sources.length);
  for (const source of sources) assertCovers(source, dtype, count);
  const carrier = carrierOf(dtype, order, accumulate);
  return { dtype, op, count, sources, order, groups, carrier, out, outStart, threads, engine };
}

function carrierOf(dtype: DType, order: ReduceOrder, accumulate: "dtype" | "f32"): Carrier {
  if (dtype === "i32" || dtype === "u8") return dtype;
  if (dtype === "f64" || order === "exact") return "f64";
  return dtype === "f32" || accumulate === "f32" ? "f32" : "dtype";
}

function assertPartition(groups: readonly (readonly number[])[], sources: number): void {
  const seen = new Set(groups.flat());
  const members = groups.reduce((total, group) => total + group.length, 0);
  assert(
    members === sources && seen.size === sources && groups.every((group) => group.length > 0),
    "every source is in one group",
  );
  for (const index of seen) assert(index >= 0 && index < sources, "groups name sources");
}

function assertCovers(source: ChunkSource, dtype: DType, count: number): void {
  if (source.kind === "patched") {
    assertCovers(source.source, dtype, count);
  } else if (source.kind === "raw") {
    assert(storesDType(source.raw, dtype), "a source is stored as the dtype is");
    assert(source.start >= 0 && source.start + count <= source.raw.length, "a source reaches");
  } else if (source.kind === "random") {
    assert(dtypeInfo(dtype).kind === "float", "random values are floats");
  }
}
