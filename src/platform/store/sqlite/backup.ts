import { access, link, open, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf, TesseraError } from "../../errors/index.ts";
import type { SqliteConnection } from "./connection.ts";
import { prepareFile } from "./prepare-file.ts";

/**
 * Copies a database to a new file as it is at this moment. The copy appears under its name only
 * when it is whole and on the disk.
 *
 * @throws E_STORE_UNUSABLE when `target` exists or cannot be written, or its folder is not there.
 */
export async function backupTo(
  target: string,
  source: { readonly shown: string; readonly open: () => Promise<SqliteConnection> },
): Promise<void> {
  const path = resolve(target);
  const partial = `${path}.${process.pid}.partial`;
  // A folder that is made up here is a typo, or a disk for backups that is not mounted.
  await access(dirname(path)).catch((cause: unknown) => {
    const problem = `no backup: there is no folder ${dirname(path)}`;
    const hint = "Make the folder first, or mount it; the store itself is untouched.";
    throw new TesseraError("E_STORE_UNUSABLE", { store: source.shown, problem }, { cause, hint });
  });
  // An empty file is a valid target for SQLite, and this way it has our mode.
  await prepareFile(partial, `sqlite:${path}`);
  try {
    const connection = await source.open();
    try {
      await connection.run({ sql: "vacuum into ?", parameters: [partial] });
    } finally {
      await connection.close();
    }
    await syncToDisk(partial);
    // Unlike a rename, a link never replaces what is there.
    await link(partial, path);
    await syncToDisk(dirname(path));
  } catch (cause) {
    const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    const problem = exists ? `${path} exists already` : `no backup: ${messageOf(cause)}`;
    const hint = "Choose a new file on a disk with enough space; the store itself is untouched.";
    throw new TesseraError("E_STORE_UNUSABLE", { store: source.shown, problem }, { cause, hint });
  } finally {
    await rm(partial, { force: true });
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
