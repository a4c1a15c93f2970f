import assert from "node:assert/strict";

/**
 * Functions in exact whole numbers, for measuring ours. A number is a multiple of 2^-1300: every
 * double is one, and 200 bits are left below the smallest.
 */
const fractionBits = 1300n;
const one = 1n << fractionBits;

/** A finite double, exactly. */
export function fixed(value: number): bigint {
  assert(Number.isFinite(value), "a number that can be written down");
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = bits & 0xfffffffffffffn;
  const [significand, from] =
    exponent === 0n ? [mantissa, 1n] : [mantissa | 0x10000000000000n, exponent];
  const magnitude = significand << (from - 1075n + fractionBits);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** How far a double is from the exact number, in units in the last place of a double. */
export function ulps(value: number, exact: bigint): number {
  const length = BigInt(abs(exact).toString(16).length * 4);
  // Hex digits tell the length to four bits; a shift tells the rest.
  const excess = BigInt(4 - (abs(exact) >> (length - 4n)).toString(2).length);
  const last = length - excess - 53n;
  const smallest = fractionBits - 1074n;
  const unit = 1n << (last > smallest ? last : smallest);
  return Number((abs(fixed(value) - exact) * 1_000_000n) / unit) / 1e6;
}

export function multiply(a: bigint, b: bigint): bigint {
  return (a * b) >> fractionBits;
}

export function divide(a: bigint, b: bigint): bigint {
  return (a << fractionBits) / b;
}

/** e^x: the Taylor series of x / 2^24, squared 24 times. */
export function exactExp(x: bigint): bigint {
  // 2^-1300 is too coarse once it is squared 24 times; these bits more make up for it.
  const guard = 64n;
  const bits = fractionBits + guard;
  const small = (x << guard) >> 24n;
  let term = 1n << bits;
  let sum = term;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = ((term * small) >> bits) / n;
    sum += term;
  }
  for (let square = 0; square < 24; square++) sum = (sum * sum) >> bits;
  return sum >> guard;
}

/** log x, from a guess that is right to 40 bits or better; the step triples the right bits. */
export function exactLog(x: bigint, guess: number): bigint {
  const start = fixed(guess);
  const power = exactExp(start);
  return start + divide(2n * (x - power), x + power);
}

export function exactTanh(x: bigint): bigint {
  const e = exactExp(2n * x);
  return divide(e - one, e + one);
}

export function exactSigmoid(x: bigint): bigint {
  return divide(one, one + exactExp(-x));
}

/** erf x by its Taylor series. */
export function exactErf(x: bigint): bigint {
  const square = multiply(x, x);
  let power = x;
  let sum = 0n;
  for (let n = 0n; power !== 0n && power !== -1n; n++) {
    sum += power / (2n * n + 1n);
    power = -multiply(power, square) / (n + 1n);
  }
  return divide(2n * sum, squareRoot(pi()));
}

export function exactErfc(x: bigint): bigint {
  return one - exactErf(x);
}

export function exactExpm1(x: bigint): bigint {
  return exactExp(x) - one;
}

export function squareRoot(x: bigint): bigint {
  const target = x << fractionBits;
  let root = 1n << BigInt((target.toString(16).length * 4) / 2 + 2);
  for (;;) {
    const next = (root + target / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Machin's formula. */
export function pi(): bigint {
  return 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n));
}

function arctanOfInverse(n: bigint): bigint {
  let power = one / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -(power / k);
    power /= n * n;
  }
  return sum;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
