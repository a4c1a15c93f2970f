import { realpath } from "node:fs/promises";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles } from "../files/index.ts";

/**
 * The same files, whose links are followed. For files that others wrote: caches of models are folders
 * of links. Our checkpoints have none, and are never read through this.
 */
export function followingLinks(files: CheckpointFiles): CheckpointFiles {
  return {
    ...files,
    open: async (path) => {
      try {
        return await files.open(path);
      } catch (error) {
        if (errorCodeOf(error) !== "ELOOP") throw error;
        return files.open(await realpath(path));
      }
    },
  };
}
