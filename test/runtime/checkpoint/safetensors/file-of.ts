/** A file with this header and so many bytes after it, which count up. */
export function fileOf(header: string | Uint8Array, dataBytes = 0): Uint8Array {
  const text = Buffer.from(header);
  const file = Buffer.alloc(8 + text.length + dataBytes);
  file.writeBigUInt64LE(BigInt(text.length));
  file.set(text, 8);
  for (let at = 0; at < dataBytes; at++) file[8 + text.length + at] = at + 1;
  return file;
}
