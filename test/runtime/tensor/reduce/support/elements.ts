import { createRng, type RngStream } from "../../../../../src/platform/rng/index.ts";
import {
  allocateRaw,
  bitsOf,
  type DType,
  dtypeInfo,
  type RawArray,
} from "../../../../../src/runtime/tensor/dtype/index.ts";
import type { ChunkSource } from "../../../../../src/runtime/tensor/reduce/index.ts";

/** What the values of one element are like over the ranks. */
const flavours = ["any", "close", "cancelling", "subnormal", "zeros", "special"] as const;

/** Bits of one element per rank, of the kind that breaks sums. */
function elementBits(dtype: DType, ranks: number, rng: RngStream): bigint[] {
  const { bytes, precision } = dtypeInfo(dtype);
  const width = BigInt(8 * bytes);
  const mantissa = BigInt(precision - 1);
  const sign = 1n << (width - 1n);
  const word = () => ((BigInt(rng.uint32()) << 32n) | BigInt(rng.uint32())) & ((1n << width) - 1n);
  const exponents = (sign >> mantissa) - 1n;
  const finite = () => {
    const bits = word();
    return ((bits >> mantissa) & exponents) === exponents ? bits ^ (1n << mantissa) : bits;
  };
  const near = word() & (exponents << mantissa);
  const close = () => (word() & ~(exponents << mantissa)) | (near ^ (near & (sign >> 1n)));
  const made: bigint[] = [];
  const flavour = rng.pick(flavours);
  while (made.length < ranks) {
    if (flavour === "any") made.push(finite());
    else if (flavour === "close") made.push(close());
    else if (flavour === "subnormal") made.push(word() & (sign | ((1n << (mantissa + 1n)) - 1n)));
    else if (flavour === "zeros")
      made.push(rng.int(8) === 0 ? finite() : sign * BigInt(rng.int(2)));
    else if (flavour === "special")
      made.push(rng.int(3) === 0 ? word() | (exponents << mantissa) : word());
    else {
      const value = finite();
      made.push(value, value ^ sign, word() & (sign | ((1n << (mantissa + 2n)) - 1n)));
    }
  }
  if (flavour === "zeros" && rng.int(2) === 0) made.fill(sign);
  return rng.shuffle(made.slice(0, ranks));
}

/** Bits by rank and element, and the same as raw sources. */
export interface Elements {
  readonly bits: readonly (readonly bigint[])[];
  readonly sources: readonly ChunkSource[];
}

export function makeElements(
  dtype: DType,
  o: { seed: number; ranks: number; count: number },
): Elements {
  const rng = createRng(o.seed).stream("elements", dtype);
  const columns = Array.from({ length: o.count }, () => elementBits(dtype, o.ranks, rng));
  const bits = Array.from({ length: o.ranks }, (_, rank) =>
    columns.map((column) => column[rank] ?? 0n),
  );
  const sources = bits.map(
    (values): ChunkSource => ({ kind: "raw", raw: rawOf(dtype, values), start: 0 }),
  );
  return { bits, sources };
}

export function rawOf(dtype: DType, values: readonly bigint[]): RawArray {
  const raw = allocateRaw(dtype, values.length);
  const words = bitsOf(raw);
  for (const [index, value] of values.entries()) {
    if (dtype === "f64") {
      words[2 * index] = Number(value & 0xffffffffn);
      words[2 * index + 1] = Number(value >> 32n);
    } else {
      words[index] = Number(value);
    }
  }
  return raw;
}

/** The stored bits of every element. */
export function bitsIn(raw: RawArray): bigint[] {
  const words = bitsOf(raw);
  if (!(raw instanceof Float64Array)) return Array.from(words, BigInt);
  return Array.from(
    raw,
    (_, index) => BigInt(words[2 * index] ?? 0) | (BigInt(words[2 * index + 1] ?? 0) << 32n),
  );
}
