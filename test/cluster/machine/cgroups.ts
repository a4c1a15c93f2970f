import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { waitFor } from "./wait.ts";

const mountPoint = "/sys/fs/cgroup";

export interface Hierarchy {
  readonly folder: string;
  readonly version: 1 | 2;
}

/** The cgroup hierarchies among the mounts of /proc/self/mountinfo. */
export function parseHierarchies(mountinfo: string): Hierarchy[] {
  const found: Hierarchy[] = [];
  for (const line of mountinfo.split("\n")) {
    const [before, after] = line.split(" - ");
    const folder = before?.split(" ")[4];
    const type = after?.split(" ")[0];
    if (folder === undefined || !folder.startsWith(mountPoint)) continue;
    if (type === "cgroup") found.push({ folder, version: 1 });
    if (type === "cgroup2") found.push({ folder, version: 2 });
  }
  return found;
}

/** The cgroup hierarchies of this machine. */
export function hierarchies(): Hierarchy[] {
  return parseHierarchies(readFileSync("/proc/self/mountinfo", "utf8"));
}

/**
 * Makes a cgroup (a path such as `a/b`) in every hierarchy and passes on what children need:
 * cpus and memory nodes in version 1, controllers in version 2.
 */
export function makeCgroup(path: string): void {
  for (const hierarchy of hierarchies()) {
    let folder = hierarchy.folder;
    for (const step of path.split("/")) {
      const parent = folder;
      folder = join(parent, step);
      if (hierarchy.version === 2) delegateControllers(parent);
      mkdirSync(folder, { recursive: true });
      if (hierarchy.version === 1) inheritCpuset(parent, folder);
    }
  }
}

function inheritCpuset(parent: string, folder: string): void {
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    if (!existsSync(join(folder, file))) continue;
    writeFileSync(join(folder, file), readFileSync(join(parent, file)));
  }
}

function delegateControllers(parent: string): void {
  const offered = readFileSync(join(parent, "cgroup.controllers"), "utf8").trim();
  if (offered === "") return;
  const wish = offered.split(" ").map((controller) => `+${controller}`);
  writeFileSync(join(parent, "cgroup.subtree_control"), wish.join(" "));
}

/** Names of the top-level cgroups that start with `prefix`, in any hierarchy. */
export function cgroupsNamed(prefix: string): string[] {
  const names = hierarchies().flatMap(({ folder }) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
      .map((entry) => entry.name),
  );
  return [...new Set(names)].toSorted();
}

/** Removes a cgroup and all below it; waits for processes that are still ending. */
export async function removeCgroup(clock: Clock, name: string): Promise<void> {
  await waitFor({ clock, what: `cgroup ${name} to be empty`, timeoutMs: 120_000 }, async () => {
    for (const { folder } of hierarchies()) removeTree(join(folder, name));
    return true;
  });
}

// A cgroup's files cannot be unlinked; removing the folders from the leaves up takes them along.
function removeTree(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  }
  rmdirSync(folder);
}
