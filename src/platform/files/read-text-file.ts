import { type FileHandle, open } from "node:fs/promises";
import { TesseraError } from "../errors/index.ts";
import { formatBytes } from "../units/bytes.ts";
import { readError } from "./file-problem.ts";

const sizeBytesMaxDefault = 16 * 2 ** 20;
const chunkBytes = 64 * 2 ** 10;

/**
 * The text of a UTF-8 file; a byte order mark is dropped. Works for pipes and `/proc` as well, whose
 * size is not known beforehand.
 *
 * @param options.sizeBytesMax larger files are refused. @default 16 MiB
 * @throws TesseraError E_FILE_READ when the file is missing, a folder, unreadable, too large or not
 * UTF-8.
 */
export async function readTextFile(
  path: string,
  options: { readonly sizeBytesMax?: number } = {},
): Promise<string> {
  const { sizeBytesMax = sizeBytesMaxDefault } = options;
  const bytes = await readBytes(path, sizeBytesMax);
  if (bytes.length > sizeBytesMax) {
    const problem = `it is larger than ${formatBytes(sizeBytesMax)}`;
    throw new TesseraError(
      "E_FILE_READ",
      { path, problem },
      { hint: "Check that it is the right file." },
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const problem = "it is not UTF-8 text";
    const hint = "Save it as UTF-8, or check that it is the right file.";
    throw new TesseraError("E_FILE_READ", { path, problem }, { cause: error, hint });
  }
}

/** The content of a file, or its first `sizeBytesMax` bytes and at least one more. */
async function readBytes(path: string, sizeBytesMax: number): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const chunks: Buffer[] = [];
    let totalBytes = 0;
    while (totalBytes <= sizeBytesMax) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      totalBytes += bytesRead;
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw readError(path, error);
  } finally {
    await file?.close();
  }
}
