import { join } from "node:path";
import type { CheckpointFiles } from "../files/index.ts";
import { tempPrefix } from "./temp-name.ts";

/**
 * Takes a checkpoint away: first its name, durably, then what it holds. Whoever comes after a crash
 * finds all of it or none, never a checkpoint with files missing.
 */
export async function retire(
  files: CheckpointFiles,
  { root, name, unique }: { readonly root: string; readonly name: string; readonly unique: string },
): Promise<void> {
  const away = join(root, `${tempPrefix}${name}-${unique}`);
  await files.rename(join(root, name), away);
  await files.syncFolder(root);
  await files.remove(away);
}
