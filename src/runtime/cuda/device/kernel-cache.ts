import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isTempName, tempPathFor } from "../../../platform/files/temp-files.ts";
import { type CompileTarget, compileOptions } from "./compile-kernel.ts";
import type { KernelSource } from "./device.ts";

const mark = "tessera-kernel 1";
const filesMax = 512;
/** A younger file may belong to a writer at work. */
const leftoverMs = 3_600_000;
const suffix = ".kernel";

/** Compiled kernels on disk: what this user compiled once is not compiled again. */
export interface KernelCache {
  /** Undefined when there is none, or when what is there is not whole. */
  read(key: KernelKey): Buffer | undefined;
  /** A folder that cannot be written is no error: the next process compiles again. */
  write(key: KernelKey, image: Uint8Array): void;
}

/** Names one compilation: all that its result depends on. */
export interface KernelKey {
  readonly name: string;
  readonly hash: string;
}

export function kernelKey(source: KernelSource, target: CompileTarget): KernelKey {
  const parts = [target.compiler, ...compileOptions(source, target), source.code];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return { name: source.name.replaceAll(/[^\w-]/g, "-").slice(0, 64), hash };
}

/**
 * The cache of this user: `kernels` in the folder TESSERA_CACHE, else in `tessera` of
 * XDG_CACHE_HOME, else in `~/.cache/tessera`. The oldest files go when there are more than 512.
 */
export function openKernelCache(env: Readonly<Record<string, string | undefined>>): KernelCache {
  const folder = join(cacheFolder(env), "kernels");
  const pathOf = ({ name, hash }: KernelKey) =>
    join(folder, `${name}-${hash.slice(0, 32)}${suffix}`);
  return {
    read: (key) => {
      try {
        return unpack(readFileSync(pathOf(key)), key);
      } catch {
        return undefined;
      }
    },
    write: (key, image) => {
      const path = pathOf(key);
      const temp = tempPathFor(path);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(temp, pack(image, key), { mode: 0o600, flag: "wx" });
        renameSync(temp, path);
        prune(folder, path);
      } catch {
        rmSync(temp, { force: true });
      }
    },
  };
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const own = env["TESSERA_CACHE"];
  if (own !== undefined && isAbsolute(own)) return own;
  const xdg = env["XDG_CACHE_HOME"];
  const caches =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env["HOME"] ?? homedir(), ".cache");
  return join(caches, "tessera");
}

/** The whole key and a digest go first, so that a file cut short or mixed up is not taken. */
function pack(image: Uint8Array, { hash }: KernelKey): Buffer {
  return Buffer.concat([Buffer.from(`${mark} ${hash} ${digestOf(image)}\n`), image]);
}

function unpack(file: Buffer, { hash }: KernelKey): Buffer | undefined {
  const end = file.indexOf("\n");
  const image = file.subarray(end + 1);
  const head = file.toString("utf8", 0, Math.max(end, 0));
  return head === `${mark} ${hash} ${digestOf(image)}` ? image : undefined;
}

function digestOf(image: Uint8Array): string {
  return createHash("sha256").update(image).digest("hex");
}

/** Removes the oldest images, and what writers who were killed have left. */
function prune(folder: string, written: string): void {
  const all = readdirSync(folder);
  // By the file system's own time, which wrote both.
  const writtenMs = statSync(written).mtimeMs;
  for (const path of all.filter(isTempName).map((name) => join(folder, name))) {
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? writtenMs;
    if (writtenMs - mtimeMs > leftoverMs) rmSync(path, { force: true });
  }
  const names = all.filter((name) => name.endsWith(suffix));
  if (names.length <= filesMax) return;
  const byAge = names
    .map((name) => ({ path: join(folder, name), mtimeMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs);
  for (const { path } of byAge.slice(0, names.length - filesMax)) rmSync(path, { force: true });
}
