import { join } from "node:path";
import { errorCodeOf, fileProblem, readError } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles, FileReader } from "../files/checkpoint-files.ts";
import { isShortage } from "../files/is-shortage.ts";
import { type CorruptWhere, corrupt } from "../manifest/index.ts";

/** A folder whose files are read in places. */
export interface FolderToRead {
  readonly files: CheckpointFiles;
  readonly folder: string;
  /** For messages: the folder's name or path. */
  readonly checkpoint: string;
}

/** Files of one folder, each open as long as somebody reads from it. */
export class OpenFiles {
  readonly #folder: FolderToRead;
  readonly #open = new Map<string, { readonly reader: Promise<FileReader>; users: number }>();

  constructor(folder: FolderToRead) {
    this.#folder = folder;
  }

  where(file: string): CorruptWhere {
    return { checkpoint: this.#folder.checkpoint, file };
  }

  /**
   * Fills `into` from a place of a file.
   *
   * @throws E_CHECKPOINT_CORRUPT when the file is not there, is no regular file, or ends before.
   */
  async read(file: string, into: Uint8Array, position: number): Promise<void> {
    const entry = this.#open.get(file) ?? { reader: this.#opened(file), users: 0 };
    this.#open.set(file, entry);
    entry.users++;
    try {
      const reader = await entry.reader;
      const there = await reader.read(into, position);
      if (there === into.length) return;
      const problem = `it ends at byte ${position + there}, within what is to be read from ${position} on`;
      throw corrupt(this.where(file), "truncated", problem);
    } catch (error) {
      throw refused(error, this.where(file));
    } finally {
      entry.users--;
      if (entry.users === 0) {
        this.#open.delete(file);
        await entry.reader.then(
          (reader) => reader.close(),
          () => undefined,
        );
      }
    }
  }

  #opened(file: string): Promise<FileReader> {
    const { files, folder } = this.#folder;
    return files.open(join(folder, file));
  }
}

/** What the file system says about a file of a checkpoint, as a refusal of it. */
export function refused(error: unknown, where: CorruptWhere): unknown {
  const code = errorCodeOf(error);
  // What is no answer of the file system is passed on: an abort, a refusal, a bug of ours.
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  if (isShortage(error)) {
    const { checkpoint, file } = where;
    return readError(file === checkpoint ? file : join(checkpoint, file), error);
  }
  if (code === "ENOENT") return corrupt(where, "file-missing", "it is not there", { cause: error });
  if (code === "ELOOP") return corrupt(where, "link", "it is a symbolic link", { cause: error });
  return corrupt(where, "unreadable", `it cannot be read: ${fileProblem(error)}`, { cause: error });
}
