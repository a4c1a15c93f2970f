import assert from "node:assert/strict";

/** A piece of a module's binary form. */
export type Bytes = readonly number[];

/** A whole number from 0 in the variable-length form of the format (LEB128). */
export function unsigned(value: number): Bytes {
  assert(Number.isInteger(value) && value >= 0 && value < 2 ** 32, "an unsigned 32-bit number");
  const bytes: number[] = [];
  let rest = value;
  // 32 bits in groups of seven.
  for (let group = 0; group < 5; group++) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
    if (rest === 0) break;
  }
  return bytes;
}

/** A signed number of at most 64 bits in the variable-length form of the format (LEB128). */
export function signed(value: bigint): Bytes {
  const bytes: number[] = [];
  let rest = value;
  for (let group = 0; group < 10; group++) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) break;
  }
  return bytes;
}

/** The bytes of a typed array, lowest address first. */
export function bytesOf(values: ArrayBufferView): Bytes {
  return [...new Uint8Array(values.buffer, values.byteOffset, values.byteLength)];
}

/** A name with its length before it. */
export function text(name: string): Bytes {
  const bytes = [...Buffer.from(name, "utf8")];
  return [...unsigned(bytes.length), ...bytes];
}

/** A list with its length before it. */
export function vector(items: readonly Bytes[]): Bytes {
  return [...unsigned(items.length), ...items.flat()];
}

/** A section with its number and size before it. */
export function section(id: number, content: Bytes): Bytes {
  return [id, ...unsigned(content.length), ...content];
}
