/** True where the first byte of a number in memory is its lowest, as on every machine of today. */
export const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Which of the two 32-bit words of a double in memory holds its sign and exponent. */
export const highHalf = littleEndian ? 1 : 0;
