import { join } from "node:path";
import type { CheckpointFiles } from "../../runtime/checkpoint/files/index.ts";

// A root, its checkpoints, their files: nobody verifies deeper trees.
const depthMax = 4;
const foldersMax = 10_000;

/** How many bytes the files at a path have, to show progress by; undefined where that cannot be said. */
export async function bytesBelow(
  files: CheckpointFiles,
  path: string,
): Promise<number | undefined> {
  try {
    return await bytesOfFolder(files, path);
  } catch {
    return await bytesOfFile(files, path);
  }
}

async function bytesOfFolder(files: CheckpointFiles, path: string): Promise<number> {
  let total = 0;
  let folders = [path];
  let seen = 0;
  for (let depth = 0; depth < depthMax && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (++seen > foldersMax) return total;
      for (const { name, kind, bytes } of await files.list(folder)) {
        total += bytes;
        if (kind === "folder") below.push(join(folder, name));
      }
    }
    folders = below;
  }
  return total;
}

async function bytesOfFile(files: CheckpointFiles, path: string): Promise<number | undefined> {
  try {
    const file = await files.open(path);
    await file.close();
    return file.bytes;
  } catch {
    return undefined;
  }
}
