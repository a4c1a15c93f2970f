const words = new DataView(new ArrayBuffer(8));

/** The bits of an f32 as `0x3f800000`, for people who compare them. */
export function f32Bits(value: number): string {
  words.setFloat32(0, value);
  return `0x${words.getUint32(0).toString(16).padStart(8, "0")}`;
}

/** An f32 with one bit changed. Bit 0 is the lowest of the fraction, bit 31 the sign. */
export function flipF32(value: number, bit: number): number {
  words.setFloat32(0, value);
  words.setUint32(0, words.getUint32(0) ^ (1 << bit));
  return words.getFloat32(0);
}
