import { statfs } from "node:fs/promises";
import { TesseraError } from "../../platform/errors/index.ts";
import { fileProblem } from "../../platform/files/file-problem.ts";
import { claimFolder } from "../../platform/process/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { createIoStress, type StressEngine } from "../../runtime/stress/index.ts";
import type { Invocation } from "../invocation.ts";
import { type StressRequest, stressUsage } from "./request.ts";

const folderKind = ".tessera-stress-io";
const sizeBytesDefault = 2 ** 30;
// A disk that is filled to the brim takes others down with it.
const shareOfFree = 0.9;

/**
 * The engine on a folder. Its files lie in a folder of their own, which goes with the engine; what
 * runs that were killed have left there is removed first.
 *
 * @throws E_USAGE when the folder has no room, E_FILE_WRITE when it cannot be written to.
 */
export async function createIoEngine(
  { folder, sizeBytes = sizeBytesDefault, verify, corrupt }: StressRequest,
  { clock }: Invocation,
): Promise<StressEngine> {
  if (folder === undefined) throw stressUsage("--dir is missing: io needs a folder.");
  const claimed = await claimFolder({ parent: folder, kind: folderKind, clock });
  try {
    const free = await freeBytes(folder);
    if (sizeBytes > shareOfFree * free) {
      const room = `${folder} has ${formatBytes(free)} free`;
      throw stressUsage(`--size is ${formatBytes(sizeBytes)}, and ${room}.`);
    }
    const engine = await createIoStress({
      clock,
      folder: claimed.path,
      place: folder,
      sizeBytes,
      verify,
      ...(corrupt === undefined ? {} : { corrupt }),
    });
    return {
      ...engine,
      close: async () => {
        await engine.close();
        await claimed.remove();
      },
    };
  } catch (error) {
    await claimed.remove();
    throw error;
  }
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const problem = fileProblem(error);
    throw new TesseraError("E_FILE_READ", { path: folder, problem }, { cause: error });
  }
}
