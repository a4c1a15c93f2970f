import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureDir } from "../../platform/files/index.ts";

/** Tells a program where it may keep checkpoints of this run; gone when the run is over. */
export const folderVariable = "TESSERA_CHAOS_FOLDER";

/** A folder of this run's own: two runs of one command never find each other's checkpoints. */
export async function makeScratchFolder(folder: string, run: string): Promise<string> {
  const path = pathOf(folder, run);
  await ensureDir(path, { mode: 0o700 });
  return path;
}

export async function removeScratchFolder(folder: string, run: string): Promise<void> {
  await rm(pathOf(folder, run), { recursive: true, force: true, maxRetries: 3 });
}

function pathOf(folder: string, run: string): string {
  // The name comes from a ledger that anybody of this user may have written.
  assert(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(run), "the name of a run leads nowhere else");
  return join(folder, `${run}.files`);
}
