/** A tensor of a plain safetensors file; `data` or so many bytes that count up. */
export interface PlainTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes?: number;
  readonly data?: Uint8Array;
}

/** The bytes of a safetensors file, written by the format's description alone. */
export function safetensors(tensors: Readonly<Record<string, PlainTensor>>): Uint8Array {
  let at = 0;
  const parts: Uint8Array[] = [];
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes = 0, data }]) => {
    const part = data ?? Uint8Array.from({ length: bytes }, (_, index) => index);
    parts.push(part);
    const begin = at;
    at += part.length;
    return [name, { dtype, shape, data_offsets: [begin, at] }];
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return new Uint8Array(Buffer.concat([length, json, ...parts]));
}
