import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type {
  CheckpointFiles,
  FileReader,
  FolderEntry,
} from "../../src/runtime/checkpoint/files/index.ts";

/** What lies at a path: bytes, or a link or a pipe that nothing may read. */
export type Held = Uint8Array | "link" | "other";

/** Files in memory by absolute path, for tests that damage them thousands of times. */
export function readOnlyFiles(held: ReadonlyMap<string, Held>): CheckpointFiles {
  const refuse = () => Promise.reject(new Error("nothing is written here"));
  return {
    makeFolder: refuse,
    ensureFolder: refuse,
    create: refuse,
    rename: refuse,
    syncFolder: refuse,
    remove: refuse,
    open: async (path) => readerOf(held.get(path), path),
    list: async (path) => entriesOf(held, path),
  };
}

/** All files below a folder, as they are now. */
export function heldBelow(folder: string): Map<string, Held> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? [[path, new Uint8Array(readFileSync(path))] as const] : [];
    }),
  );
}

function readerOf(held: Held | undefined, path: string): FileReader {
  if (held === undefined) throw systemError("ENOENT", path);
  if (held === "link") throw systemError("ELOOP", path);
  if (held === "other") throw systemError("EINVAL", path);
  return {
    bytes: held.length,
    read: async (into, position) => {
      const part = held.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}

function entriesOf(held: ReadonlyMap<string, Held>, folder: string): readonly FolderEntry[] {
  if (held.has(folder)) throw systemError("ENOTDIR", folder);
  const entries = new Map<string, FolderEntry>();
  for (const [path, what] of held) {
    const [name = "", ...below] = relative(folder, path).split("/");
    if (name === ".." || name === "") continue;
    const isFile = below.length === 0;
    const kind = !isFile ? "folder" : typeof what === "string" ? what : "file";
    const bytes = isFile && typeof what !== "string" ? what.length : 0;
    entries.set(name, { name, kind, bytes, modifiedMs: 0 });
  }
  if (entries.size === 0) throw systemError("ENOENT", folder);
  return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}'`), { code });
}
