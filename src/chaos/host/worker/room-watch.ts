import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles } from "../../../runtime/checkpoint/index.ts";
import type { WorkerFaults } from "./worker-faults.ts";

/** The file system as it is, with an eye on what it refuses for want of room. */
export function watchRoom(files: CheckpointFiles, faults: WorkerFaults): CheckpointFiles {
  const watched = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (errorCodeOf(error) === "ENOSPC") {
        for (const [injection] of faults.of("watch-room")) {
          faults.seen(injection, `the kernel refused ${what} for want of room (ENOSPC)`);
        }
      }
      throw error;
    }
  };
  return {
    ...files,
    makeFolder: (path) => watched("a folder", files.makeFolder(path)),
    ensureFolder: (path) => watched("a folder", files.ensureFolder(path)),
    create: async (path) => {
      const writer = await watched("a file", files.create(path));
      return {
        ...writer,
        write: (bytes, position) => watched("a write", writer.write(bytes, position)),
        sync: () => watched("a write", writer.sync()),
      };
    },
    rename: (from, to) => watched("a name", files.rename(from, to)),
  };
}
