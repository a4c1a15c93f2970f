import { allocateRaw, decodeInto } from "../../../../runtime/tensor/dtype/index.ts";
import type { DType, RandomSpec } from "../../../../runtime/tensor/index.ts";
import { fillRandom } from "../../../../runtime/tensor/random/index.ts";

/**
 * Values `start` to `start + count` of a random tensor, made on the host: what a device should have,
 * whatever it has.
 */
export function randomValues(
  { spec, dtype }: { readonly spec: RandomSpec; readonly dtype: DType },
  { start, count }: { readonly start: number; readonly count: number },
): Float64Array {
  const raw = allocateRaw(dtype, count);
  fillRandom(spec, dtype, start, count, raw);
  const values = new Float64Array(count);
  decodeInto(dtype, raw, 0, count, values);
  return values;
}
