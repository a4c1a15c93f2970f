/**
 * ln 2 in two parts. The upper one has 21 trailing zero bits, so that k times it is exact for every
 * exponent k of a double.
 */
export const ln2High = 0.6931471803691238;
export const ln2Low = 1.9082149292705877e-10;
