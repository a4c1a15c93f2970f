import { type FileHandle, open } from "node:fs/promises";
import { TesseraError } from "../errors/index.ts";

/** The largest configuration file read. A thousand times what a person writes by hand. */
export const configFileBytesMax = 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ELOOP: "its symbolic links go round in a circle",
  ENAMETOOLONG: "its path is too long",
};

/** The text of a configuration file. Throws E_CONFIG_FILE, `shown` being its name for people. */
export async function readConfigText(path: string, shown: string): Promise<string> {
  const bytes = await readBytes(path, shown);
  if (bytes.byteLength > configFileBytesMax) throw unreadable(shown, "it is larger than 1 MiB");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const place = `${shown}:${lineOfBadText(bytes)}`;
    throw unreadable(place, "it is not UTF-8 text; save it again with that encoding");
  }
}

async function readBytes(path: string, shown: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    return await readAtMost(handle, configFileBytesMax + 1);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const reason = reasons[code];
    // What we can say in words needs no system message behind it.
    throw reason === undefined ? unreadable(shown, code, error) : unreadable(shown, reason);
  } finally {
    await handle?.close();
  }
}

/** Reads pipes and devices too, whose size nobody knows beforehand. */
async function readAtMost(handle: FileHandle, limitBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(limitBytes);
  let filled = 0;
  while (filled < limitBytes) {
    const { bytesRead } = await handle.read(buffer, filled, limitBytes - filled, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The first line that cannot be decoded by itself. A line break is never part of a longer UTF-8 sequence. */
function lineOfBadText(bytes: Buffer): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end;
  }
  return line;
}

function unreadable(file: string, problem: string, cause?: unknown): TesseraError {
  return new TesseraError("E_CONFIG_FILE", { file, problem }, { cause });
}
