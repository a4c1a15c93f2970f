/** The number formats a tensor can have. e4m3 and e5m2 are the two fp8 formats of OCP OFP8. */
export const dtypes = ["f64", "f32", "f16", "bf16", "e4m3", "e5m2", "i32", "u8"] as const;
export type DType = (typeof dtypes)[number];

/**
 * Storage of a tensor, one entry per element: f16 and bf16 as their bits in a Uint16Array, e4m3 and
 * e5m2 as their bits in a Uint8Array, the others as numbers.
 */
export type RawArray = Float64Array | Float32Array | Uint16Array | Uint8Array | Int32Array;

/** What there is to know about a number format. */
export interface DTypeInfo {
  readonly name: DType;
  /** Bytes of one element. */
  readonly bytes: 1 | 2 | 4 | 8;
  readonly kind: "float" | "integer";
  /** Bits of the significand with the hidden one; of an integer, the bits of its magnitude. */
  readonly precision: number;
  /** The smallest value above zero is 2^minExponent (1 for integers, whose exponent is 0). */
  readonly minExponent: number;
  /** The largest finite value lies in [2^maxExponent, 2^(maxExponent + 1)). */
  readonly maxExponent: number;
  readonly smallestNormal: number;
  /** The largest and the smallest finite value. */
  readonly max: number;
  readonly min: number;
  /** False for e4m3 and for integers: what overflows is NaN there, or refused. */
  readonly hasInfinity: boolean;
}

const table: Readonly<Record<DType, DTypeInfo>> = {
  f64: float("f64", { bytes: 8, precision: 53, maxExponent: 1023, max: Number.MAX_VALUE }),
  f32: float("f32", { bytes: 4, precision: 24, maxExponent: 127, max: (2 - 2 ** -23) * 2 ** 127 }),
  f16: float("f16", { bytes: 2, precision: 11, maxExponent: 15, max: 65504 }),
  bf16: float("bf16", { bytes: 2, precision: 8, maxExponent: 127, max: (2 - 2 ** -7) * 2 ** 127 }),
  // The exponent of Inf in IEEE formats holds numbers here, so the range reaches one further up.
  e4m3: { ...float("e4m3", { bytes: 1, precision: 4, maxExponent: 7, max: 448 }), maxExponent: 8 },
  e5m2: float("e5m2", { bytes: 1, precision: 3, maxExponent: 15, max: 57344 }),
  i32: integer("i32", { bytes: 4, precision: 31, min: -(2 ** 31) }),
  u8: integer("u8", { bytes: 1, precision: 8, min: 0 }),
};

/** The facts about a dtype. */
export function dtypeInfo(dtype: DType): DTypeInfo {
  return table[dtype];
}

interface FloatFacts {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly precision: number;
  /** Of an IEEE format, where it is also the bias. */
  readonly maxExponent: number;
  readonly max: number;
}

function float(name: DType, { bytes, precision, maxExponent, max }: FloatFacts): DTypeInfo {
  const minNormalExponent = 1 - maxExponent;
  return {
    name,
    bytes,
    kind: "float",
    precision,
    minExponent: minNormalExponent - (precision - 1),
    maxExponent,
    smallestNormal: 2 ** minNormalExponent,
    max,
    min: -max,
    hasInfinity: name !== "e4m3",
  };
}

interface IntegerFacts {
  readonly bytes: 1 | 4;
  readonly precision: number;
  readonly min: number;
}

function integer(name: DType, { bytes, precision, min }: IntegerFacts): DTypeInfo {
  return {
    name,
    bytes,
    kind: "integer",
    precision,
    minExponent: 0,
    maxExponent: precision - 1,
    smallestNormal: 1,
    max: 2 ** precision - 1,
    min,
    hasInfinity: false,
  };
}
