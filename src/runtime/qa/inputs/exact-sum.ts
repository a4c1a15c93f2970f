// Sums by whole numbers of any length: slow, short, and independent of the sums it is compared with.

const unit = 149;
const precision = 24;
const bits = new DataView(new ArrayBuffer(8));

/** What is known of a sum of f32 values: every finite part exactly, and what cannot be a number. */
export interface ExactSum {
  /** The sum of the finite values in units of 2^-149. */
  readonly units: bigint;
  /** True while every value was -0. */
  readonly isNegativeZero: boolean;
  /** NaN, or an infinity, when such a value took part. */
  readonly special: number | undefined;
}

export function sumExactly(values: Iterable<number>): ExactSum {
  let units = 0n;
  let isNegativeZero = true;
  let special: number | undefined;
  for (const value of values) {
    if (Number.isFinite(value)) units += unitsOf(value);
    else special = (special ?? 0) + value;
    if (!Object.is(value, -0)) isNegativeZero = false;
  }
  return { units, isNegativeZero, special };
}

/** The f32 nearest to the sum, ties to even. */
export function roundToF32({ units, isNegativeZero, special }: ExactSum): number {
  if (special !== undefined) return special;
  if (isNegativeZero) return -0;
  const magnitude = units < 0n ? -units : units;
  const dropped = BigInt(Math.max(0, magnitude.toString(2).length - precision));
  const kept = magnitude >> dropped;
  const rest = magnitude - (kept << dropped);
  const half = dropped === 0n ? 1n : 1n << (dropped - 1n);
  const up = rest > half || (rest === half && (kept & 1n) === 1n) ? 1n : 0n;
  const rounded = Number((kept + up) << dropped) * 2 ** -unit;
  const inRange = rounded >= 2 ** 128 ? Number.POSITIVE_INFINITY : rounded;
  return units < 0n ? -inRange : inRange;
}

/** A finite f32 in units of 2^-149, the smallest there is. */
export function unitsOf(value: number): bigint {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  const exponent = (word >>> 23) & 0xff;
  const fraction = BigInt(word & 0x7fffff);
  const magnitude = exponent === 0 ? fraction : (fraction | 0x800000n) << BigInt(exponent - 1);
  return word >>> 31 === 1 ? -magnitude : magnitude;
}
