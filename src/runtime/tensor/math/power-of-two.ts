const smallestExponent = -1074;
const largestExponent = 1023;

/** 2^exponent for every exponent that a double has, made by doubling, which is exact. */
const powers = new Float64Array(largestExponent - smallestExponent + 1);
for (let at = 0, power = Number.MIN_VALUE; at < powers.length; at++, power *= 2) powers[at] = power;

/** `value * 2^exponent`, rounded at most once, for a value from 1/2 to 2. */
export function scaleByPowerOfTwo(value: number, exponent: number): number {
  if (exponent > largestExponent) return value * 2 * powerOfTwo(exponent - 1);
  if (exponent >= -1021) return value * powerOfTwo(exponent);
  // In two steps of which only the last leaves the normal numbers and rounds.
  return value * powerOfTwo(exponent + 200) * powerOfTwo(-200);
}

function powerOfTwo(exponent: number): number {
  return powers[exponent - smallestExponent] as number;
}
