import { constants, type Stats } from "node:fs";
import { lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TesseraError } from "../errors/index.ts";
import { errorCodeOf, writeError } from "./file-problem.ts";
import { tempPathFor } from "./temp-files.ts";

/**
 * Writes a file so that readers, and whoever comes after a crash, find either the old content or
 * the new, whole. When the call returns, the new content has reached the disk.
 *
 * The content goes to a temporary file in the same folder, which then takes the file's place. A
 * symbolic link stays, and what it points to is replaced; a link to nothing is refused. Devices and
 * pipes (`/dev/stdout`) cannot be replaced and are written to directly.
 *
 * @param options.mode exact permissions, whatever the umask. @default those of the file that is
 * replaced, or 0o666 less the umask for a new one
 * @throws TesseraError E_FILE_WRITE naming path and cause; the old content is then still there and
 * the temporary file is gone.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    const existing = await statOrNothing(path);
    if (existing === undefined) await refuseDanglingLink(path);
    if (existing?.isDirectory()) throw problem(path, "it is a folder");
    if (existing !== undefined && !existing.isFile()) {
      await writeInPlace(path, data);
      return;
    }
    const target = existing === undefined ? path : await realpath(path);
    // Special bits (set-user-id) belong to the old content and are not carried over.
    const modeKept = existing === undefined ? undefined : existing.mode & 0o777;
    await replace(target, data, options.mode ?? modeKept);
  } catch (error) {
    throw error instanceof TesseraError ? error : writeError(path, error);
  }
}

async function replace(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  const temp = tempPathFor(path);
  try {
    await writeNew(temp, data, mode);
    await rename(temp, path);
  } catch (error) {
    // The first error is the one to report.
    await rm(temp, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeNew(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o666);
  try {
    // open() applied the umask; a mode that was asked for is exact.
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeInPlace(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, constants.O_WRONLY);
  try {
    await file.writeFile(data);
  } finally {
    await file.close();
  }
}

/** Makes the rename itself durable, where the file system and the folder's permissions allow it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  if (folder === undefined) return;
  try {
    await folder.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(errorCodeOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function refuseDanglingLink(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry?.isSymbolicLink())
    throw problem(path, "it is a symbolic link to a file that does not exist");
}

function problem(path: string, text: string): TesseraError {
  return new TesseraError("E_FILE_WRITE", { path, problem: text });
}
