import assert from "node:assert/strict";
import { type DType, dtypeInfo, encodeInto } from "../../runtime/tensor/dtype/index.ts";
import { addToLimbs, productLayoutOf } from "../../runtime/tensor/fixed-point/index.ts";
import { Tensor } from "../../runtime/tensor/index.ts";
import type { Params } from "../../runtime/tensor/nn/index.ts";
import { doubleAt } from "../../runtime/tensor/ops/exact/exact-tensor.ts";
import type { Corruption } from "./numerics.ts";

/** The elements that a corruption hits among so many, each once. */
export function elementsOf({ first, stride, count }: Corruption, size: number): readonly number[] {
  assert(first >= 0 && stride >= 0 && count >= 1, "a corruption hits elements");
  if (size === 0) return [];
  const wanted = stride === 0 ? 1 : Math.min(count, size);
  const found = new Set<number>();
  for (let at = 0; at < wanted; at++) found.add((first + at * stride) % size);
  return [...found];
}

/** Parameters, laid end to end in the order of their names, with wrong bits. */
export function corruptParams(params: Params, corruption: Corruption): Params {
  const names = Object.keys(params).toSorted();
  const size = names.reduce((sum, name) => sum + (params[name]?.size ?? 0), 0);
  const hits = elementsOf(corruption, size);
  const wrong: Record<string, Tensor> = { ...params };
  let start = 0;
  for (const name of names) {
    const tensor = params[name] as Tensor;
    const own = hits.filter((at) => at >= start && at < start + tensor.size);
    if (own.length > 0) {
      wrong[name] = corruptTensor(
        tensor,
        own.map((at) => at - start),
        corruption.bit,
      );
    }
    start += tensor.size;
  }
  return wrong;
}

function corruptTensor(tensor: Tensor, at: readonly number[], bit: Corruption["bit"]): Tensor {
  const { dtype, shape } = tensor;
  const raw = tensor.toRaw().slice();
  for (const element of at) corruptElement(raw, element, dtype, bit);
  return Tensor.over(raw, { dtype, shape });
}

function corruptElement(
  raw: ReturnType<Tensor["toRaw"]>,
  element: number,
  dtype: DType,
  bit: Corruption["bit"],
): void {
  if (bit === "nan") {
    encodeInto(dtype, Float64Array.of(Number.NaN), 0, 1, raw.subarray(element, element + 1));
    return;
  }
  const { bytes } = dtypeInfo(dtype);
  const wrong = bit % (8 * bytes);
  const all = new Uint8Array(raw.buffer, raw.byteOffset + element * bytes, bytes);
  // The lowest byte lies first on every machine that Node runs on.
  all[wrong >> 3] = (all[wrong >> 3] as number) ^ (1 << (wrong & 7));
}

/**
 * Gradients as they are handed to a sum, limbs of values of `dtype` side by side, with wrong bits: each that is
 * hit is the value it stood for, rounded, with the bit turned over.
 */
export function corruptGradients(packed: Tensor, dtype: DType, corruption: Corruption): Tensor {
  const layout = productLayoutOf(dtype);
  const limbs = (packed.toRaw() as Float64Array).slice();
  for (const element of elementsOf(corruption, limbs.length / layout.width)) {
    const base = element * layout.width;
    const value = Float32Array.of(doubleAt(limbs, base, layout, "f32"));
    corruptElement(value, 0, "f32", corruption.bit);
    const wrong = value[0] as number;
    limbs.fill(0, base, base + layout.width);
    if (Number.isFinite(wrong)) addToLimbs(limbs, base, layout, wrong);
    else limbs[base + layout.limbs] = wrong;
  }
  return Tensor.over(limbs, { dtype: "f64", shape: packed.shape });
}
