/** A handle or address that a call has left in a buffer of eight bytes. */
export function readHandle(result: Buffer): bigint {
  return result.readBigUInt64LE();
}

/** A `size_t` as a number. No size here comes near 2^53. */
export function readSize(result: Buffer): number {
  return Number(result.readBigUInt64LE());
}

/** Text up to the zero byte that ends it in C. */
export function readText(result: Buffer): string {
  const end = result.indexOf(0);
  return result.toString("utf8", 0, end < 0 ? result.length : end);
}
