import type { CheckpointFiles, FileReader } from "../files/checkpoint-files.ts";
import type { SafetensorsHeader } from "./header.ts";
import { prefixBytes } from "./limits.ts";
import { dataStartOf, parseHeader } from "./parse-header.ts";
import { refusal } from "./refusal.ts";

/**
 * The header of a file, checked; nothing after it is read. Throws E_SAFETENSORS, and the file system's
 * own error when the file cannot be opened or read.
 */
export async function readHeader(files: CheckpointFiles, path: string): Promise<SafetensorsHeader> {
  const reader = await files.open(path);
  try {
    return await headerFrom(reader, path);
  } finally {
    await reader.close();
  }
}

/** The header of a file that is open. It asks for no byte twice and for none that the file has not. */
export async function headerFrom(reader: FileReader, file: string): Promise<SafetensorsHeader> {
  const source = { file, fileBytes: reader.bytes };
  const prefix = new Uint8Array(Math.min(prefixBytes, reader.bytes));
  await readFully(reader, { file, into: prefix, position: 0 });
  const bytes = new Uint8Array(dataStartOf(prefix, source));
  bytes.set(prefix);
  const rest = bytes.subarray(prefixBytes);
  await readFully(reader, { file, into: rest, position: prefixBytes });
  return parseHeader(bytes, source);
}

export interface Reading {
  readonly file: string;
  readonly into: Uint8Array;
  readonly position: number;
}

// One call for a whole tensor would pin as much memory as it has, and some systems stop at 2 GiB.
const bytesPerCall = 16 * 1024 * 1024;

/** Fills `into` from a place on. Throws E_SAFETENSORS when the file has become shorter. */
export async function readFully(
  reader: FileReader,
  { file, into, position }: Reading,
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const part = into.subarray(done, Math.min(into.length, done + bytesPerCall));
    const count = await reader.read(part, position + done);
    if (count === 0) {
      const problem = `it has become shorter than the ${reader.bytes} bytes it had`;
      throw refusal(file, { rule: "file-changed", problem, position: position + done });
    }
    done += count;
  }
}
