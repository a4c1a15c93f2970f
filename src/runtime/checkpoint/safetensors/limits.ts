/** The length of the header, a little-endian u64, stands in the first bytes of a file. */
export const prefixBytes = 8;

/** No header is longer: the reference implementation reads none that is. */
export const longestHeaderBytes = 100_000_000;
