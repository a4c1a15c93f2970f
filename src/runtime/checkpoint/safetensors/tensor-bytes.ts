import { type SafetensorsDType, safetensorsBits } from "./safetensors-dtype.ts";

const largestU64 = 2n ** 64n - 1n;

/** How many bytes a tensor has, or which rule its shape breaks. */
export type TensorBytes =
  | { readonly bytes: number }
  | { readonly rule: "shape-overflow" | "partial-byte"; readonly problem: string };

/**
 * The bytes of a tensor of this shape, counted as the reference implementation does: lengths are
 * multiplied in their order, and a product that passes 2^64 on the way is refused even when a 0
 * follows. More bytes than 2^53, which no file has, are given rounded.
 */
export function tensorBytes(
  dtype: SafetensorsDType,
  shape: readonly (number | bigint)[],
): TensorBytes {
  const bitsEach = safetensorsBits[dtype];
  let count = 1;
  for (const length of shape) {
    if (typeof length === "bigint") return countExactly(bitsEach, shape);
    count *= length;
    if (count > Number.MAX_SAFE_INTEGER) return countExactly(bitsEach, shape);
  }
  const bits = count * bitsEach;
  if (bits > Number.MAX_SAFE_INTEGER) return countExactly(bitsEach, shape);
  return bits % 8 === 0 ? { bytes: bits / 8 } : partialByte(bits);
}

function countExactly(bitsEach: number, shape: readonly (number | bigint)[]): TensorBytes {
  let count = 1n;
  for (const length of shape) {
    count *= BigInt(length);
    if (count > largestU64) return overflow;
  }
  const bits = count * BigInt(bitsEach);
  if (bits > largestU64) return overflow;
  return bits % 8n === 0n ? { bytes: Number(bits / 8n) } : partialByte(bits);
}

const overflow: TensorBytes = {
  rule: "shape-overflow",
  problem: "its shape has more bits than can be counted",
};

function partialByte(bits: number | bigint): TensorBytes {
  return { rule: "partial-byte", problem: `its ${bits} bits are no whole bytes` };
}
