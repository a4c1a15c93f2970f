import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { allocateRaw, bytesOf, littleEndian } from "../../tensor/dtype/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import { Tensor } from "../../tensor/tensor.ts";
import type { CheckpointFiles, FileReader } from "../files/checkpoint-files.ts";
import { dtypeOfSafetensors } from "./dtype-names.ts";
import type { SafetensorsEntry, SafetensorsHeader } from "./header.ts";
import { headerFrom, readFully } from "./read-header.ts";
import { refusal, showName } from "./refusal.ts";

/** Bytes of one tensor: from `begin` to before `end`, counted from its first. */
export interface ByteRange {
  readonly begin: number;
  readonly end: number;
}

/** A safetensors file that is open for reading. Nothing of its data is read before it is asked for. */
export interface SafetensorsFile {
  readonly header: SafetensorsHeader;
  /** The tensor of this name. Throws E_SAFETENSORS when there is none. */
  entry(name: string): SafetensorsEntry;
  /** The bytes of a tensor of this file, or some of them; whole elements are up to the caller. */
  read(entry: SafetensorsEntry, range?: ByteRange): Promise<Uint8Array>;
  /** A tensor with every bit as it is in the file. Throws E_DTYPE for a format that tensors do not have. */
  tensor(name: string): Promise<Tensor>;
  close(): Promise<void>;
}

/**
 * Opens a file and checks its header. Throws E_SAFETENSORS, and the file system's own error when the
 * file cannot be opened or read.
 */
export async function openSafetensors(
  files: CheckpointFiles,
  path: string,
): Promise<SafetensorsFile> {
  assert(littleEndian, "numbers in files are little-endian, and so is this machine");
  const reader = await files.open(path);
  try {
    return fileOver(reader, path, await headerFrom(reader, path));
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function fileOver(reader: FileReader, file: string, header: SafetensorsHeader): SafetensorsFile {
  const byName = new Map(header.entries.map((entry) => [entry.name, entry]));
  const entry = (name: string) => {
    const found = byName.get(name);
    if (found !== undefined) return found;
    throw refusal(file, { rule: "unknown-tensor", problem: "is not in the file", tensor: name });
  };
  const fill = (into: Uint8Array, from: SafetensorsEntry, begin: number) =>
    readFully(reader, { file, into, position: header.dataStart + from.begin + begin });
  return {
    header,
    entry,
    read: async (given, range) => {
      assert(byName.get(given.name) === given, "an entry is read from the file that it is of");
      const { begin, end } = range ?? { begin: 0, end: given.end - given.begin };
      assertWithin(given, { begin, end });
      const bytes = new Uint8Array(end - begin);
      await fill(bytes, given, begin);
      return bytes;
    },
    tensor: async (name) => {
      const found = entry(name);
      const { shape } = found;
      const dtype = dtypeOfSafetensors(found.dtype);
      if (dtype === undefined) {
        const problem = `${showName(name)} of ${file} is ${found.dtype}, which tensors cannot hold`;
        throw new TesseraError("E_DTYPE", { operation: "openSafetensors", problem });
      }
      const raw = allocateRaw(dtype, sizeOf(shape, "openSafetensors"));
      await fill(bytesOf(raw), found, 0);
      return Tensor.over(raw, { dtype, shape });
    },
    close: () => reader.close(),
  };
}

function assertWithin(entry: SafetensorsEntry, { begin, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(begin) && Number.isSafeInteger(end);
  assert(
    isRange && begin >= 0 && begin <= end && end <= entry.end - entry.begin,
    "a range lies within its tensor",
  );
}
