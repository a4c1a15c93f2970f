import { createRng } from "../../../src/platform/rng/index.ts";
import type {
  CheckpointFiles,
  FileReader,
  FileWriter,
  FolderEntry,
} from "../../../src/runtime/checkpoint/files/index.ts";
import { diskStates, fingerprintOf } from "./disk-states.ts";
import { MemoryFile, MemoryFolder, type MemoryNode } from "./memory-nodes.ts";

/** The power is gone: nothing is done any more, and nobody hears of it. */
export class PowerLoss extends Error {
  override readonly name = "PowerLoss";
}

export interface MemoryFilesOptions {
  /** What time it is, for the times of files. @default always 0 */
  readonly nowMs?: () => number;
}

/**
 * A file system in memory with the guarantees of a real one and no more. Bytes are safe once their
 * file is synced; a name is safe once its folder is; a rename is atomic, and safe no sooner.
 */
export class MemoryFiles implements CheckpointFiles {
  readonly #options: MemoryFilesOptions;
  readonly #root: MemoryFolder;
  /** What was done so far, one line for each change. */
  readonly log: string[] = [];
  /** The power is lost right after this many changes. */
  crashAfter = Number.POSITIVE_INFINITY;
  /** The n-th change, from 1, fails instead, with this code. */
  failure: { readonly at: number; readonly code: string; readonly forEver?: boolean } | undefined;
  /** Bytes that may still be written. */
  freeBytes = Number.POSITIVE_INFINITY;
  #lost = false;

  constructor(options: MemoryFilesOptions = {}, root?: MemoryFolder) {
    this.#options = options;
    this.#root = root ?? new MemoryFolder(this.#nowMs());
  }

  /** How many changes were made. */
  get operations(): number {
    return this.log.length;
  }

  /** The disks that may be found after a loss of power now. */
  *states(options: {
    readonly limit: number;
    readonly seed: string | number;
  }): Generator<MemoryFiles> {
    const stream = createRng(options.seed).stream("disk states");
    for (const root of diskStates(this.#root, { limit: options.limit, stream })) {
      yield new MemoryFiles(this.#options, root);
    }
  }

  /** What lies there, as one text: equal for disks that are the same to whoever reads them. */
  fingerprint(): string {
    return fingerprintOf(this.#root);
  }

  /** The same disk for another process: this one was killed, the machine was not. */
  afterKill(): MemoryFiles {
    const [same] = this.states({ limit: 1, seed: 0 });
    return same as MemoryFiles;
  }

  async makeFolder(path: string): Promise<void> {
    this.#change(`makeFolder ${path}`, () => {
      const { folder, name } = this.#parent(path);
      if (folder.entries.has(name)) throw errno("EEXIST", path);
      folder.change([[name, new MemoryFolder(this.#nowMs())]], this.#nowMs());
    });
  }

  async ensureFolder(path: string): Promise<void> {
    let folder = this.#root;
    for (const name of partsOf(path)) {
      let next = folder.entries.get(name);
      if (next === undefined) {
        next = new MemoryFolder(this.#nowMs());
        const made = next;
        const above = folder;
        this.#change(`ensureFolder ${path}`, () => {
          above.change([[name, made]], this.#nowMs());
          above.sync();
        });
      }
      if (next.kind !== "folder") throw errno("EEXIST", path);
      folder = next;
    }
  }

  async create(path: string): Promise<FileWriter> {
    const file = new MemoryFile(new Uint8Array(0), this.#nowMs());
    this.#change(`create ${path}`, () => {
      const { folder, name } = this.#parent(path);
      if (folder.entries.has(name)) throw errno("EEXIST", path);
      folder.change([[name, file]], this.#nowMs());
    });
    return {
      write: async (bytes, position) => {
        this.#change(`write ${path} ${position}+${bytes.length}`, () => {
          const room = Math.min(bytes.length, this.freeBytes);
          this.freeBytes -= room;
          file.write(bytes.slice(0, room), position);
          if (room < bytes.length) throw errno("ENOSPC", path);
        });
      },
      sync: async () => {
        this.#change(`sync ${path}`, () => {
          file.durable = file.content;
        });
      },
      close: async () => {},
    };
  }

  async open(path: string): Promise<FileReader> {
    const node = this.#find(path);
    if (node === undefined) throw errno("ENOENT", path);
    if (node.kind === "link") throw errno("ELOOP", path);
    if (node.kind === "folder") throw errno("EISDIR", path);
    return {
      bytes: node.content.length,
      read: async (into, position) => {
        const there = node.content.subarray(position, position + into.length);
        into.set(there);
        return there.length;
      },
      close: async () => {},
    };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#change(`rename ${from} ${to}`, () => {
      const source = this.#parent(from);
      const target = this.#parent(to);
      const moved = source.folder.entries.get(source.name);
      if (moved === undefined) throw errno("ENOENT", from);
      if (source.folder !== target.folder) throw new Error("renames stay within a folder here");
      const replaced = target.folder.entries.get(target.name);
      if (moved.kind === "folder" && replaced !== undefined) {
        if (replaced.kind !== "folder") throw errno("ENOTDIR", to);
        if (replaced.entries.size > 0) throw errno("ENOTEMPTY", to);
      }
      const change = [
        [source.name, undefined],
        [target.name, moved],
      ] as const;
      source.folder.change(change, this.#nowMs());
    });
  }

  async syncFolder(path: string): Promise<void> {
    this.#change(`syncFolder ${path}`, () => this.#folder(path).sync());
  }

  async list(path: string): Promise<readonly FolderEntry[]> {
    const entries = [...this.#folder(path).entries].map(([name, node]): FolderEntry => {
      const bytes = node.kind === "file" ? node.content.length : 0;
      return { name, kind: node.kind, bytes, modifiedMs: node.modifiedMs };
    });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** One change for each name: power may be lost in between. */
  async remove(path: string): Promise<void> {
    const node = this.#find(path);
    if (node === undefined) {
      if (this.#lost) throw new PowerLoss();
      return;
    }
    if (node.kind === "folder") {
      for (const name of node.entries.keys()) await this.remove(`${path}/${name}`);
    }
    this.#change(`remove ${path}`, () => {
      const { folder, name } = this.#parent(path);
      folder.change([[name, undefined]], this.#nowMs());
    });
  }

  /** Puts a file there, durably, whatever was there before. */
  plant(path: string, content: Uint8Array | string): void {
    const { folder, name } = this.#parent(path);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const file = new MemoryFile(bytes, this.#nowMs(), bytes);
    folder.entries.set(name, file);
    folder.sync();
  }

  plantLink(path: string): void {
    const { folder, name } = this.#parent(path);
    folder.entries.set(name, { kind: "link", modifiedMs: this.#nowMs() });
    folder.sync();
  }

  /** All bytes of a file; undefined when there is none. */
  bytesOf(path: string): Uint8Array | undefined {
    const node = this.#find(path);
    return node?.kind === "file" ? node.content : undefined;
  }

  #change(what: string, act: () => void): void {
    if (this.#lost) throw new PowerLoss();
    this.log.push(what);
    const { failure } = this;
    const isDue =
      failure?.forEver === true ? this.operations >= failure.at : this.operations === failure?.at;
    if (failure !== undefined && isDue) throw errno(failure.code, what);
    act();
    if (this.operations < this.crashAfter) return;
    this.#lost = true;
    throw new PowerLoss();
  }

  #find(path: string): MemoryNode | undefined {
    if (this.#lost) throw new PowerLoss();
    let node: MemoryNode | undefined = this.#root;
    for (const name of partsOf(path)) {
      if (node?.kind !== "folder") return undefined;
      node = node.entries.get(name);
    }
    return node;
  }

  #folder(path: string): MemoryFolder {
    const node = this.#find(path);
    if (node === undefined) throw errno("ENOENT", path);
    if (node.kind !== "folder") throw errno("ENOTDIR", path);
    return node;
  }

  #parent(path: string): { folder: MemoryFolder; name: string } {
    const parts = partsOf(path);
    return { folder: this.#folder(`/${parts.slice(0, -1).join("/")}`), name: parts.at(-1) ?? "" };
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? 0;
  }
}

export function createMemoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  return new MemoryFiles(options);
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function errno(code: string, about: string): Error {
  return Object.assign(new Error(`${code}: ${about}`), { code });
}
