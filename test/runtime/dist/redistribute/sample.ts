import type { DistTensor } from "../../../../src/runtime/dist/array/index.ts";
import {
  type DType,
  fromValues,
  random,
  type Tensor,
} from "../../../../src/runtime/tensor/index.ts";

/** Values of a dtype, distinct enough that a misplaced element shows. */
export function values(shape: readonly number[], of: DType): Tensor {
  if (of === "i32" || of === "u8") {
    const size = shape.reduce((product, length) => product * length, 1);
    const counted = Float64Array.from({ length: size }, (_, index) => index % 256);
    return fromValues(counted, { shape, dtype: of });
  }
  return random(shape, { spec: { kind: "normal", seed: 7 }, dtype: of });
}

/** The digests of what each rank holds. */
export function digests(x: DistTensor): string[] {
  return x.mesh.devices.map((_, rank) => x.local(rank).digest());
}
