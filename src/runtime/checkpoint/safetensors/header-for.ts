import { isWellFormed } from "../json/index.ts";
import type { SafetensorsEntry } from "./header.ts";
import { longestHeaderBytes, prefixBytes } from "./limits.ts";
import { refusal } from "./refusal.ts";
import { type SafetensorsDType, safetensorsBits } from "./safetensors-dtype.ts";
import { tensorBytes } from "./tensor-bytes.ts";

/** A tensor that will be written. */
export interface EntryToWrite {
  readonly name: string;
  readonly dtype: SafetensorsDType;
  readonly shape: readonly number[];
  /** How many bytes it has. */
  readonly bytes: number;
}

export interface WrittenHeader {
  /** All that stands before the tensors' bytes: the length and the JSON, padded to a multiple of 8. */
  readonly header: Uint8Array;
  /** Where each tensor begins, by name, counted from the end of the header. */
  readonly places: ReadonlyMap<string, number>;
  /** In the order in which their bytes follow the header. */
  readonly entries: readonly SafetensorsEntry[];
  /** Of all tensors together; the file has `header.length` more. */
  readonly dataBytes: number;
}

// What a refusal says when it is about a file that is not there yet.
const newFile = "the new file";

// The reference implementation sorts by its own list of dtypes, which goes by alignment.
const ranks = Object.fromEntries(
  Object.keys(safetensorsBits).map((name, rank) => [name, rank]),
) as Record<SafetensorsDType, number>;

/**
 * The header of a file with these tensors, laid out as the reference implementation does: the widest
 * dtypes first, then by the bytes of the name. Metadata goes by key. Throws E_SAFETENSORS for a name
 * that is taken, reserved or half a character, and for bytes that do not fit the shape.
 */
export function headerFor(
  tensors: readonly EntryToWrite[],
  metadata?: Readonly<Record<string, string>>,
): WrittenHeader {
  const entries: SafetensorsEntry[] = [];
  const places = new Map<string, number>();
  let offset = 0;
  for (const { name, dtype, shape, bytes } of inOrder(tensors)) {
    assertWritable({ name, dtype, shape, bytes });
    if (places.has(name)) {
      throw refusal(newFile, { rule: "duplicate-key", problem: "stands twice", tensor: name });
    }
    places.set(name, offset);
    entries.push({ name, dtype, shape: [...shape], begin: offset, end: offset + bytes });
    offset += bytes;
  }
  return { header: encode(entries, metadata), places, entries, dataBytes: offset };
}

function inOrder(tensors: readonly EntryToWrite[]): readonly EntryToWrite[] {
  return tensors
    .map((tensor) => ({ tensor, key: Buffer.from(tensor.name) }))
    .toSorted(
      (one, other) =>
        ranks[other.tensor.dtype] - ranks[one.tensor.dtype] || Buffer.compare(one.key, other.key),
    )
    .map(({ tensor }) => tensor);
}

function assertWritable({ name, dtype, shape, bytes }: EntryToWrite): void {
  if (name === "__metadata__" || !isWellFormed(name)) {
    const problem = "cannot be the name of a tensor in a file";
    throw refusal(newFile, { rule: "name", problem, tensor: name });
  }
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 0)) {
    const problem = `[${shape.join(", ")}] is no shape`;
    throw refusal(newFile, { rule: "shape", problem, tensor: name });
  }
  const sized = tensorBytes(dtype, shape);
  if ("rule" in sized) throw refusal(newFile, { ...sized, tensor: name });
  if (sized.bytes !== bytes) {
    const problem = `${dtype} [${shape.join(", ")}] takes ${sized.bytes} bytes, not ${bytes}`;
    throw refusal(newFile, { rule: "shape-bytes", problem, tensor: name });
  }
}

function encode(
  entries: readonly SafetensorsEntry[],
  metadata: Readonly<Record<string, string>> | undefined,
): Uint8Array {
  const parts = entries.map(
    ({ name, dtype, shape, begin, end }) =>
      `${JSON.stringify(name)}:{"dtype":"${dtype}","shape":[${shape.join(",")}],"data_offsets":[${begin},${end}]}`,
  );
  if (metadata !== undefined) parts.unshift(`"__metadata__":${encodeMetadata(metadata)}`);
  const json = Buffer.from(`{${parts.join(",")}}`);
  const paddedBytes = Math.ceil(json.length / prefixBytes) * prefixBytes;
  if (paddedBytes > longestHeaderBytes) {
    const problem = `${paddedBytes} bytes of header are more than ${longestHeaderBytes}`;
    throw refusal(newFile, { rule: "header-too-long", problem });
  }
  const header = Buffer.alloc(prefixBytes + paddedBytes, " ");
  header.writeBigUInt64LE(BigInt(paddedBytes));
  json.copy(header, prefixBytes);
  return new Uint8Array(header.buffer, header.byteOffset, header.length);
}

function encodeMetadata(metadata: Readonly<Record<string, string>>): string {
  const parts = Object.entries(metadata)
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([key, value]) => {
      if (!isWellFormed(key) || typeof value !== "string" || !isWellFormed(value)) {
        const problem = `the metadata ${JSON.stringify(key)} is no text of whole characters`;
        throw refusal(newFile, { rule: "metadata", problem });
      }
      return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    });
  return `{${parts.join(",")}}`;
}
