import type { SafetensorsHeader } from "../../../../src/runtime/checkpoint/safetensors/index.ts";

// Written down once more: what judges the reader must not take the reader's word.
const bitsOf: Readonly<Record<string, bigint>> = {
  ...{ BOOL: 8n, U8: 8n, I8: 8n, I16: 16n, U16: 16n, I32: 32n, U32: 32n, I64: 64n, U64: 64n },
  ...{ F4: 4n, F6_E2M3: 6n, F6_E3M2: 6n, F8_E5M2: 8n, F8_E4M3: 8n, F8_E8M0: 8n },
  ...{ F8_E4M3FNUZ: 8n, F8_E5M2FNUZ: 8n, F16: 16n, BF16: 16n, F32: 32n, F64: 64n, C64: 64n },
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

interface Fields {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly offsets: readonly number[];
}

/**
 * Why a header that was accepted should not have been, or says something else than its file;
 * undefined when all is well. Reads the file in another way than the reader does.
 */
export function complaintAbout(file: Uint8Array, header: SafetensorsHeader): string | undefined {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > 100_000_000 || header.dataStart !== 8 + length) return "the header's length";
  if (header.fileBytes !== file.length) return "the file's length";
  const parsed = parse(file.subarray(8, 8 + length));
  if (parsed === undefined) return "the header is no JSON object";
  const { __metadata__: metadata, ...tensors } = parsed;
  const names = Object.keys(tensors);
  if (names.length !== header.entries.length) return "the number of tensors";
  const covered = new Uint8Array(file.length - header.dataStart);
  let last = 0;
  for (const entry of header.entries) {
    const fields = Object.hasOwn(tensors, entry.name) ? fieldsOf(tensors[entry.name]) : undefined;
    if (fields === undefined) return `${entry.name} is no tensor`;
    const { dtype, shape, offsets } = fields;
    if (dtype !== entry.dtype || String(shape) !== String(entry.shape)) return "dtype or shape";
    if (offsets[0] !== entry.begin || offsets[1] !== entry.end) return "offsets";
    if (entry.begin < last || entry.end < entry.begin) return "order";
    last = entry.begin;
    if (!fits(entry.exactShape ?? shape, dtype, entry.end - entry.begin)) return "bytes";
    for (let at = entry.begin; at < entry.end; at++) covered[at] = (covered[at] ?? 0) + 1;
  }
  if (covered.some((times) => times !== 1)) return "a byte belongs to none or to two";
  return sameMetadata(metadata ?? {}, header.metadata) ? undefined : "metadata";
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = JSON.parse(strictUtf8.decode(bytes));
  return isRecord(value) ? value : undefined;
}

function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const [dtype, shape, offsets] = Array.isArray(value)
    ? (value as unknown[])
    : [record["dtype"], record["shape"], record["data_offsets"]];
  const [name] = isRecord(dtype) ? Object.keys(dtype) : [dtype];
  if (typeof name !== "string" || !Object.hasOwn(bitsOf, name)) return undefined;
  if (!isWholeNumbers(shape) || !isWholeNumbers(offsets) || offsets.length !== 2) return undefined;
  return { dtype: name, shape, offsets };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWholeNumbers(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.every((item) => Number.isInteger(item) && !Object.is(item, -0))
  );
}

function fits(shape: readonly (number | bigint)[], dtype: string, bytes: number): boolean {
  const bits = shape.reduce<bigint>((product, length) => product * BigInt(length), 1n);
  return bits * (bitsOf[dtype] as bigint) === BigInt(bytes) * 8n;
}

function sameMetadata(one: unknown, other: Readonly<Record<string, string>>): boolean {
  if (!isRecord(one)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
