import { join } from "node:path";
import type { CheckpointFiles } from "../files/index.ts";
import type { InFile } from "./failures.ts";
import { sweepTemps } from "./sweep.ts";
import { tempPrefix } from "./temp-name.ts";

/**
 * Makes the folder that shards are written to, which nobody else has, and sweeps those that were left.
 *
 * @returns its name below the root. @throws E_CHECKPOINT_WRITE
 */
export async function makeTemp(about: {
  readonly files: CheckpointFiles;
  readonly root: string;
  readonly tag: string;
  readonly nowMs: number;
  readonly unique: string;
  readonly inFile: InFile;
}): Promise<string> {
  const { files, root, tag, nowMs, unique, inFile } = about;
  const temp = `${tempPrefix}${tag}-${unique}`;
  await inFile(root, async () => {
    await files.ensureFolder(root);
    await sweepTemps(files, { root, nowMs });
  });
  await inFile(temp, () => files.makeFolder(join(root, temp)));
  return temp;
}
