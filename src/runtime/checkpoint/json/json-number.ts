const largestU64 = 2n ** 64n - 1n;
// Far beyond every exponent that matters, and far below where sums would round.
const largestExponent = 2 ** 31;

/** Ten to every power that a double holds. */
const powersOfTen: readonly number[] = Array.from({ length: 309 }, (_, power) =>
  Number(`1e${power}`),
);

/** A number in a text of bytes: where it ends, and what it is. */
export interface JsonNumber {
  readonly end: number;
  /**
   * A whole number from 0 to 2^64 - 1, as a bigint above 2^53; `other` is any other number that the
   * reference implementation holds, `range` one too large for it, `malformed` no number at all.
   */
  readonly value: number | bigint | "other" | "range" | "malformed";
}

const zero = 0x30;
const nine = 0x39;
const point = 0x2e;
const minus = 0x2d;
const digitsBelow2To53 = 15;

/** Reads the number that begins at `start`. Text after it is not looked at. */
export function scanNumber(bytes: Uint8Array, start: number, limit: number): JsonNumber {
  const negative = bytes[start] === minus;
  const first = negative ? start + 1 : start;
  let at = first;
  let small = 0;
  while (at < limit && isDigit(bytes[at])) {
    if (at - first < digitsBelow2To53) small = small * 10 + (bytes[at] as number) - zero;
    at++;
  }
  const digits = at - first;
  if (digits === 0 || (digits > 1 && bytes[first] === zero)) return { end: at, value: "malformed" };
  const isFraction = at < limit && (bytes[at] === point || isExponentMark(bytes[at]));
  if (!isFraction && !negative && digits <= digitsBelow2To53) return { end: at, value: small };
  return scanRest(bytes, { negative, first, limit });
}

interface Digits {
  readonly negative: boolean;
  readonly first: number;
  readonly limit: number;
}

/**
 * The rare kinds. Which numbers are too large depends on how the reference implementation rounds: it
 * keeps as many digits as 64 bits hold, and multiplies by a power of ten once.
 */
function scanRest(bytes: Uint8Array, { negative, first, limit }: Digits): JsonNumber {
  const whole = takeDigits(bytes, { at: first, limit, significand: 0n });
  let { end: at, significand, dropped: exponent } = whole;
  const next = at < limit ? bytes[at] : undefined;
  if (next !== point && !isExponentMark(next) && !negative && exponent === 0) {
    return { end: at, value: asNumber(significand) };
  }
  if (next === point) {
    // The last digit of the integer may have been too much where this one is not: it is asked anew.
    const fraction = takeDigits(bytes, { at: at + 1, limit, significand });
    if (fraction.end === at + 1) return { end: at, value: "malformed" };
    at = fraction.end;
    significand = fraction.significand;
    exponent -= fraction.kept;
  }
  if (at < limit && isExponentMark(bytes[at])) {
    return scanExponent(bytes, { at: at + 1, limit, significand, exponent });
  }
  return { end: at, value: isInRange(significand, exponent) ? "other" : "range" };
}

interface DigitRun {
  readonly at: number;
  readonly limit: number;
  readonly significand: bigint;
}

/** Appends digits to a number for as long as it stays below 2^64, and drops those that follow. */
function takeDigits(bytes: Uint8Array, { at, limit, significand }: DigitRun) {
  let end = at;
  let value = significand;
  let kept = 0;
  let dropped = 0;
  for (; end < limit && isDigit(bytes[end]); end++) {
    const longer = dropped === 0 ? value * 10n + BigInt((bytes[end] as number) - zero) : value;
    if (dropped > 0 || longer > largestU64) {
      dropped++;
    } else {
      value = longer;
      kept++;
    }
  }
  return { end, significand: value, kept, dropped };
}

interface BeforeExponent {
  readonly at: number;
  readonly limit: number;
  readonly significand: bigint;
  readonly exponent: number;
}

function scanExponent(bytes: Uint8Array, before: BeforeExponent): JsonNumber {
  const { limit, significand, exponent } = before;
  let { at } = before;
  const isNegative = bytes[at] === minus;
  if (at < limit && (isNegative || bytes[at] === 0x2b)) at++;
  const firstDigit = at;
  let given = 0;
  for (; at < limit && isDigit(bytes[at]); at++) {
    given = Math.min(given * 10 + (bytes[at] as number) - zero, largestExponent);
  }
  if (at === firstDigit) return { end: at, value: "malformed" };
  const sum = isNegative ? exponent - given : exponent + given;
  return { end: at, value: isInRange(significand, sum) ? "other" : "range" };
}

function isInRange(significand: bigint, exponent: number): boolean {
  if (significand === 0n || exponent < 0) return true;
  const power = powersOfTen[exponent];
  return power !== undefined && Number.isFinite(Number(significand) * power);
}

function asNumber(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function isExponentMark(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}
