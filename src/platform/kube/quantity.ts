/**
 * Kubernetes' way to write amounts of cpu, memory and devices: `500m`, `1.5Gi`, `8`, `12e3`.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i))?$/;

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

const binaryExponents: Readonly<Record<string, bigint>> = {
  Ki: 10n,
  Mi: 20n,
  Gi: 30n,
  Ti: 40n,
  Pi: 50n,
  Ei: 60n,
};

/** An amount as an exact fraction. */
export interface Quantity {
  readonly numerator: bigint;
  /** A power of ten, at least 1. */
  readonly denominator: bigint;
}

/** Longer than any amount that means something; keeps the arithmetic small. */
const digitsMax = 64;
const exponentMax = 64;

/** Reads a quantity without losing a digit; undefined when it is none. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > digitsMax) return undefined;
  const [, sign, digits, exponentText, suffix] = pattern.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const [whole = "", fraction = ""] = digits.split(".");
  let numerator = BigInt(`${whole}${fraction}`);
  if (suffix !== undefined && suffix in binaryExponents)
    numerator <<= binaryExponents[suffix] ?? 0n;
  let exponent = -fraction.length;
  if (suffix !== undefined) exponent += decimalExponents[suffix] ?? 0;
  if (exponentText !== undefined) exponent += Number(exponentText.slice(1));
  if (Math.abs(exponent) > exponentMax) return undefined;
  if (exponent > 0) numerator *= 10n ** BigInt(exponent);
  const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  return { numerator: sign === "-" ? -numerator : numerator, denominator };
}

/**
 * A quantity as a whole number of `unit`s (`1` for bytes and devices, `m` for millicores), rounded
 * up as Kubernetes does. Undefined when it is no quantity or too large to be exact.
 */
export function quantityToInteger(text: string, unit: "1" | "m" = "1"): number | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return undefined;
  const numerator = quantity.numerator * (unit === "m" ? 1000n : 1n);
  const quotient = numerator / quantity.denominator;
  const inexact = numerator % quantity.denominator !== 0n;
  // Division cuts towards zero, which for negative amounts is already up.
  const rounded = inexact && numerator > 0n ? quotient + 1n : quotient;
  const value = Number(rounded);
  return Number.isSafeInteger(value) ? value : undefined;
}
