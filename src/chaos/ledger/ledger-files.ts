import { constants } from "node:fs";
import { link, open, readdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCodeOf } from "../../platform/files/file-problem.ts";
import { ensureDir, readTextFile } from "../../platform/files/index.ts";
import { ownIdentity } from "../../platform/process/process-identity.ts";
import { ledgerTempPath } from "./ledger-temps.ts";

/** What ledgers need of a file system. Every write that settles is on the disk. */
export interface LedgerFiles {
  ensureFolder(path: string): Promise<void>;
  /** Names, sorted; none when the folder does not exist. */
  list(folder: string): Promise<readonly string[]>;
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Makes a file that is whole from its first moment; false when there is one already. */
  create(path: string, text: string): Promise<boolean>;
  /** To the end of a file that exists. What fails may have written a part. */
  append(path: string, text: string): Promise<void>;
  /** The whole content, old or new. */
  replace(path: string, text: string): Promise<void>;
  /** Nothing happens when it is not there. */
  remove(path: string): Promise<void>;
}

const textBytesMax = 64 * 2 ** 20;
/** What undo needs (addresses, process ids) is for this user alone. */
const mode = 0o600;

export const nodeLedgerFiles: LedgerFiles = {
  ensureFolder: (path) => ensureDir(path, { mode: 0o700 }),

  async list(folder) {
    try {
      return (await readdir(folder)).toSorted();
    } catch (error) {
      if (errorCodeOf(error) === "ENOENT") return [];
      throw error;
    }
  },

  async read(path) {
    try {
      return await readTextFile(path, { sizeBytesMax: textBytesMax });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (errorCodeOf(cause) === "ENOENT") return undefined;
      throw error;
    }
  },

  async create(path, text) {
    // Unlike a rename, a link fails when the name is taken; unlike O_EXCL alone, the name never
    // stands for a file that is still empty.
    try {
      await throughTemp(path, text, (temp) => link(temp, path));
    } catch (error) {
      if (errorCodeOf(error) === "EEXIST") return false;
      throw error;
    }
    return true;
  },

  async append(path, text) {
    const { O_APPEND, O_NOFOLLOW, O_WRONLY } = constants;
    const file = await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },

  replace: (path, text) => throughTemp(path, text, (temp) => rename(temp, path)),

  async remove(path) {
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  },
};

/** Writes a file beside the path, puts it in its place, and leaves nothing else. */
async function throughTemp(
  path: string,
  text: string,
  put: (temp: string) => Promise<void>,
): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const temp = ledgerTempPath(path, await ownIdentity());
  try {
    const file = await open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await put(temp);
  } finally {
    await rm(temp, { force: true });
  }
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
