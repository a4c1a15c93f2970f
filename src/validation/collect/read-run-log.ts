import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { messageOf } from "../../platform/errors/index.ts";
import { type RunPlace, runPaths } from "./log-tree.ts";

/** A part of a run's log. */
export type LogPart =
  | {
      readonly kind: "part";
      readonly bytes: Buffer;
      /** Of the whole file, when it was read. */
      readonly sizeBytes: number;
    }
  /** There is none, and why. */
  | { readonly kind: "none"; readonly reason: string };

/**
 * Reads a part of what a run's check said, or else of what its program printed. The path comes from
 * the run alone, and nothing in the tree is trusted: links and other kinds of files are not read.
 */
export async function readRunLog(
  root: string,
  place: RunPlace,
  part: { readonly offset: number; readonly limit: number },
): Promise<LogPart> {
  let realRoot: string;
  try {
    realRoot = await realpath(root);
  } catch (error) {
    return none(`The log tree cannot be reached: ${messageOf(error)}.`);
  }
  const { folder, log, output } = runPaths(realRoot, place);
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return none("The run has written no log.");
  if (real !== folder) return none("Its folder is a symbolic link, which is not followed.");
  const said = await readPart(log, part);
  return said ?? (await readPart(output, part)) ?? none("The run has written no log.");
}

function none(reason: string): LogPart {
  return { kind: "none", reason };
}

/** Undefined when there is no such file. */
async function readPart(
  path: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LogPart | undefined> {
  let file: FileHandle | undefined;
  try {
    // Without waiting, because opening a pipe would wait for a writer that never comes.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return none("It is not an ordinary file.");
    const wanted = Math.max(0, Math.min(limit, stats.size - offset));
    const buffer = Buffer.alloc(wanted);
    const { bytesRead } = await file.read(buffer, 0, wanted, offset);
    return { kind: "part", bytes: buffer.subarray(0, bytesRead), sizeBytes: stats.size };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") return none("It is a symbolic link, which is not followed.");
    return none(`It cannot be read: ${messageOf(error)}.`);
  } finally {
    await file?.close().catch(() => {});
  }
}

/** How many bytes at the end begin a character that is not whole yet: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}
