import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ClusterError } from "../errors.ts";
import { identify, isRunning } from "../machine/processes.ts";
import { clustersRoot, pathsOf } from "./paths.ts";
import { type ClusterRecord, writeRecord } from "./record.ts";

// A folder that is being made or removed carries the name of the process that does it.
const transientPattern = /^\.(?:new|dead)-(\d+)-(\d+)-\d+$/;
let transients = 0;

/**
 * Makes the folder of a new cluster, record included, in one step as others see it. Refused when
 * the name is taken.
 */
export function claimFolder(record: ClusterRecord, root = clustersRoot): string {
  const preparing = transientFolder(root, "new");
  mkdirSync(preparing, { recursive: true });
  // Users of a Slurm cluster come by on their way to its shared folder; nobody may look around.
  chmodSync(root, 0o711);
  chmodSync(preparing, record.shape.slurm > 0 ? 0o711 : 0o700);
  writeRecord(pathsOf(preparing), record);
  const folder = join(root, record.name);
  try {
    renameSync(preparing, folder);
  } catch (cause) {
    rmSync(preparing, { recursive: true, force: true });
    throw new ClusterError(`a cluster named "${record.name}" is already there`, {
      exitCode: 2,
      cause,
    });
  }
  return folder;
}

/**
 * Removes the folder of a dead cluster. It loses its name first: whoever takes that name next must
 * not find our removal in the new folder.
 */
export function removeFolder(folder: string): void {
  const root = dirname(folder);
  const dead = transientFolder(root, "dead");
  try {
    renameSync(folder, dead);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "ENOENT") throw problem;
  }
  rmSync(dead, { recursive: true, force: true, maxRetries: 5 });
  try {
    rmdirSync(root);
  } catch {
    // Another cluster lives there.
  }
}

/** The clusters that have a folder, dead or alive. */
export function clusterNames(root = clustersRoot): string[] {
  return entriesOf(root).filter((name) => !name.startsWith("."));
}

/** Folders that a process was making or removing when it died. */
export function abandonedFolders(root = clustersRoot): string[] {
  return entriesOf(root)
    .filter((name) => {
      const match = transientPattern.exec(name);
      if (match === null) return false;
      const [, pid, startTicks] = match;
      return !isRunning({ pid: Number(pid), startTicks: startTicks ?? "" });
    })
    .map((name) => join(root, name));
}

/** Who we are, for a record's `creator`. */
export function ourselves(): ClusterRecord["creator"] {
  const id = identify(process.pid);
  if (id === undefined) throw new ClusterError("/proc does not show this process");
  return id;
}

function transientFolder(root: string, kind: "new" | "dead"): string {
  const { pid, startTicks } = ourselves();
  transients += 1;
  return join(root, `.${kind}-${pid}-${startTicks}-${transients}`);
}

function entriesOf(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root).toSorted();
}
