/**
 * What checkpoints need of a file system, and nothing more: so that a test can lose power after every
 * call. Paths are absolute. Every call rejects with the system's own error (`code` is ENOENT and the like).
 */
export interface CheckpointFiles {
  /** Makes one folder. @throws EEXIST */
  makeFolder(path: string): Promise<void>;
  /** Makes a folder and those above it that are missing. */
  ensureFolder(path: string): Promise<void>;
  /** Creates a file that must not exist yet, for writing. @throws EEXIST */
  create(path: string): Promise<FileWriter>;
  /** Opens a file for reading; follows no symbolic link at its end. @throws ENOENT, ELOOP */
  open(path: string): Promise<FileReader>;
  /** Atomic. Onto a folder that is not empty: @throws ENOTEMPTY or EEXIST */
  rename(from: string, to: string): Promise<void>;
  /** Makes the names in a folder durable: what was created, renamed or removed in it. */
  syncFolder(path: string): Promise<void>;
  /** The entries of a folder by name, in the order of their names. @throws ENOENT, ENOTDIR */
  list(path: string): Promise<readonly FolderEntry[]>;
  /** Removes a file, or a folder with all it holds; nothing happens when there is none. Follows no link. */
  remove(path: string): Promise<void>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Of a file; 0 otherwise. */
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface FileWriter {
  /** Writes all of the bytes at a place; the caller does not change them before it resolves. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Makes what was written durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileReader {
  readonly bytes: number;
  /** Fills `into` from a place on. @returns how many bytes there were; fewer only at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}
