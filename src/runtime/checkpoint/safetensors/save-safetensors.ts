import assert from "node:assert/strict";
import { bytesOf, dtypeInfo, littleEndian } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { CheckpointFiles, FileWriter } from "../files/checkpoint-files.ts";
import { safetensorsDTypeOf } from "./dtype-names.ts";
import type { SafetensorsEntry } from "./header.ts";
import { headerFor } from "./header-for.ts";

export interface SavedSafetensors {
  /** In the order of their bytes. */
  readonly entries: readonly SafetensorsEntry[];
  /** Of the whole file. */
  readonly fileBytes: number;
}

const bytesPerCall = 16 * 1024 * 1024;

/**
 * Writes tensors into a new safetensors file, byte for byte as the reference implementation does, and
 * makes its content durable (its name only once the folder is synced). What was written is removed
 * when something fails. Throws E_SAFETENSORS for names and metadata that the format cannot hold, and
 * the file system's own error: EEXIST when there is a file already.
 */
export async function saveSafetensors(
  files: CheckpointFiles,
  path: string,
  tensors: Readonly<Record<string, Tensor>>,
  metadata?: Readonly<Record<string, string>>,
): Promise<SavedSafetensors> {
  assert(littleEndian, "numbers in files are little-endian, and so is this machine");
  const written = headerFor(Object.entries(tensors).map(toWrite), metadata);
  const { header, entries, dataBytes } = written;
  const writer = await files.create(path);
  try {
    await writeAll(writer, header, 0);
    for (const { name, begin } of entries) {
      const bytes = bytesOf((tensors[name] as Tensor).toRaw());
      await writeAll(writer, bytes, header.length + begin);
    }
    await writer.sync();
    await writer.close();
  } catch (error) {
    await abandon(files, writer, path);
    throw error;
  }
  return { entries, fileBytes: header.length + dataBytes };
}

function toWrite([name, { dtype, shape, size }]: readonly [string, Tensor]) {
  return { name, dtype: safetensorsDTypeOf(dtype), shape, bytes: size * dtypeInfo(dtype).bytes };
}

async function writeAll(writer: FileWriter, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; done += bytesPerCall) {
    await writer.write(bytes.subarray(done, done + bytesPerCall), position + done);
  }
}

/** The error that led here says more than one that follows from it. */
async function abandon(files: CheckpointFiles, writer: FileWriter, path: string): Promise<void> {
  await writer.close().catch(() => {});
  await files.remove(path).catch(() => {});
}
