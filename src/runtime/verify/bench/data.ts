import { fromValues, randn, type Tensor } from "../../tensor/index.ts";
import { exp } from "../../tensor/math/index.ts";
import type { DistributionName } from "./types.ts";

/** A matrix of such numbers, rounded to bf16 and held in f32; the same for the same seed and stream. */
export function matrixOf(
  distribution: DistributionName,
  side: number,
  { seed, stream }: { readonly seed: string; readonly stream: string },
): Tensor {
  const shape = [side, side];
  const given = { seed, stream: `${distribution} ${stream}` };
  if (distribution === "normal") return randn(shape, { ...given, dtype: "bf16" }).to("f32");
  const values = randn(shape, { ...given, dtype: "f64" }).toNumbers();
  if (distribution === "half-normal") {
    return fromValues(values.map(Math.abs), { shape, dtype: "bf16" }).to("f32");
  }
  // The sign is a bit of its own: the lowest of the number, which its size does not depend on.
  const bits = new Uint32Array(values.buffer);
  return fromValues(
    values.map((value, at) => ((bits[2 * at] as number) & 1 ? -1 : 1) * exp(2 * value)),
    { shape, dtype: "bf16" },
  ).to("f32");
}
