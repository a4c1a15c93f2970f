import { constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles, FileReader, FileWriter, FolderEntry } from "./checkpoint-files.ts";

/** File systems that cannot sync a folder say so with one of these; they keep names by other means. */
const cannotSync = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
const removeTriesMax = 3;
/** Entries of a folder that are asked about at the same time. */
const askedAtOnce = 64;

/** The file system of this machine. */
export function createNodeFiles(): CheckpointFiles {
  return {
    makeFolder: (path) => mkdir(path),
    ensureFolder,
    create,
    open: openToRead,
    rename,
    syncFolder,
    list,
    remove: (path) => rm(path, { recursive: true, force: true, maxRetries: removeTriesMax }),
  };
}

/** What is made is durable when it resolves: a checkpoint is worth nothing in a root that is lost. */
async function ensureFolder(path: string): Promise<void> {
  const wanted = resolve(path);
  const first = await mkdir(wanted, { recursive: true });
  if (first === undefined) return;
  for (let folder = dirname(wanted); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === dirname(resolve(first)) || folder === dirname(folder)) return;
  }
}

async function create(path: string): Promise<FileWriter> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  return {
    write: (bytes, position) => writeAll(file, bytes, position),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error("the file system takes no more bytes");
    done += bytesWritten;
  }
}

async function openToRead(path: string): Promise<FileReader> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  // Without O_NONBLOCK, a pipe that somebody put there would be waited for.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notRegular(path, stats.isDirectory());
    return {
      bytes: stats.size,
      read: (into, position) => readAll(file, into, position),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAll(file: FileHandle, into: Uint8Array, position: number): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } catch (error) {
    if (!cannotSync.has(errorCodeOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

async function list(path: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const all = await mapConcurrent(entries, askedAtOnce, (entry) => about(path, entry));
  const there = all.flatMap((entry) => entry ?? []);
  return there.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function about(folder: string, entry: Dirent): Promise<FolderEntry | undefined> {
  const { name } = entry;
  try {
    const stats = await lstat(join(folder, name));
    const kind = stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "folder"
        : stats.isSymbolicLink()
          ? "link"
          : "other";
    const bytes = kind === "file" ? stats.size : 0;
    return { name, kind, bytes, modifiedMs: stats.mtimeMs };
  } catch (error) {
    // Another save has removed it since.
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function notRegular(path: string, isFolder: boolean): Error {
  const code = isFolder ? "EISDIR" : "EINVAL";
  return Object.assign(new Error(`${code}: not a regular file, open '${path}'`), { code });
}
