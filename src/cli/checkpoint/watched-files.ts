import type {
  CheckpointFiles,
  FileReader,
  FileWriter,
} from "../../runtime/checkpoint/files/index.ts";

export interface Watch {
  /** Every read and write first looks whether the user gave up. */
  readonly signal: AbortSignal;
  /** How many bytes a read or a write has just moved. */
  readonly onBytes?: (bytes: number) => void;
}

/** The same files, with somebody looking: so that long reads show progress and can be stopped. */
export function watchedFiles(files: CheckpointFiles, { signal, onBytes }: Watch): CheckpointFiles {
  const reader = (inner: FileReader): FileReader => ({
    bytes: inner.bytes,
    read: async (into, position) => {
      signal.throwIfAborted();
      const bytes = await inner.read(into, position);
      onBytes?.(bytes);
      return bytes;
    },
    close: () => inner.close(),
  });
  const writer = (inner: FileWriter): FileWriter => ({
    write: async (bytes, position) => {
      signal.throwIfAborted();
      await inner.write(bytes, position);
      onBytes?.(bytes.byteLength);
    },
    sync: () => inner.sync(),
    close: () => inner.close(),
  });
  return {
    makeFolder: (path) => files.makeFolder(path),
    ensureFolder: (path) => files.ensureFolder(path),
    create: async (path) => writer(await files.create(path)),
    open: async (path) => {
      signal.throwIfAborted();
      return reader(await files.open(path));
    },
    rename: (from, to) => files.rename(from, to),
    syncFolder: (path) => files.syncFolder(path),
    list: async (path) => {
      signal.throwIfAborted();
      return files.list(path);
    },
    remove: (path) => files.remove(path),
  };
}
