/** Flips one bit, counted from the lowest of the first byte; beyond the end it starts over. */
export function flipBit(bytes: Uint8Array, bit: number): void {
  if (bytes.length === 0) return;
  const at = Math.floor(bit / 8) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
}
