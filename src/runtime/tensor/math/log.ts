import { highHalf } from "../dtype/index.ts";
import { ln2High, ln2Low } from "./ln2.ts";

const value = new Float64Array(1);
const words = new Uint32Array(value.buffer);

/** The natural logarithm. Error below 1 ulp. NaN below 0, -Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const subnormal = x < 2 ** -1022;
  value[0] = subnormal ? x * 2 ** 54 : x;
  const high = words[highHalf] as number;
  // x = 2^k m with m from sqrt(1/2) to sqrt(2), where log(m) is small.
  words[highHalf] = (high & 0xfffff) | (1022 << 20);
  let m = value[0];
  let k = (high >>> 20) - 1022 - (subnormal ? 54 : 0);
  if (m < Math.SQRT1_2) {
    m *= 2;
    k -= 1;
  }
  const f = m - 1;
  // log(1 + f) = 2 atanh(s) = 2s + 2s^3/3 + …, and 2s = f - s f, which keeps f as it is.
  const s = f / (2 + f);
  const half = 0.5 * f * f;
  const rest = s * (half + series(s * s));
  return k * ln2High - (half - (rest + k * ln2Low) - f);
}

/** 2 z/3 + 2 z^2/5 + … + 2 z^11/23 for z = s^2 up to 0.0295. */
function series(z: number): number {
  const w = z * z;
  const odd = 2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19 + w * (2 / 23)))));
  const even = 2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21))));
  return z * (odd + z * even);
}
