import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding, Probe } from "../../platform/doctor/finding.ts";

export interface CgroupProbeOptions {
  /** Where the kernel says which groups this process is in. @default "/proc/self/cgroup" */
  readonly membershipPath?: string;
  /** Where the kernel lists what is mounted. @default "/proc/self/mounts" */
  readonly mountsPath?: string;
}

/** What faults on memory and disks are made of. */
const controllersWanted = ["memory", "cpu", "io"];
/** Version 1 knows the disk controller by another name. */
const oldNames: Readonly<Record<string, string>> = { blkio: "io" };

/** Which control groups there are, and whether this user may make one. */
export function cgroupProbe(options: CgroupProbeOptions = {}): Probe {
  return {
    id: "cgroups",
    title: "Control groups",
    required: false,
    neededFor: "limiting memory, processors and disks of worker processes of this machine",
    find: () =>
      findCgroups({
        membershipPath: options.membershipPath ?? "/proc/self/cgroup",
        mountsPath: options.mountsPath ?? "/proc/self/mounts",
      }),
  };
}

async function findCgroups(paths: Required<CgroupProbeOptions>): Promise<Finding> {
  const mounts = mountsIn(await textOf(paths.mountsPath));
  const own = membershipsIn(await textOf(paths.membershipPath));
  if (mounts.length === 0) {
    return {
      state: "missing",
      reason: "No control groups are mounted.",
      hint: "Mount /sys/fs/cgroup (in a container, it needs the host's).",
    };
  }
  const groups = await Promise.all(mounts.map((mount) => groupAt(mount, own)));
  const writable = controllersOf(groups.filter((group) => group.writable));
  const present = controllersOf(groups);
  const versions = [1, 2].filter((version) => mounts.some((mount) => mount.version === version));
  const layout = versions.length === 2 ? "versions 1 and 2" : `version ${versions[0]}`;
  const lacking = controllersWanted.filter((controller) => !writable.includes(controller));
  const evidence = { versions, groups };
  if (lacking.length === 0) {
    const reason = `Control groups, ${layout}: ${controllersWanted.join(", ")} may be limited.`;
    return { state: "works", reason, evidence };
  }
  const all = lacking.length === controllersWanted.length;
  const locked = lacking.filter((controller) => present.includes(controller));
  return {
    state: all ? "missing" : "limited",
    reason: `Control groups, ${layout}: this user may not limit ${lacking.join(", ")}.`,
    hint:
      locked.length > 0
        ? "Run as root, or have the group of this process delegated (systemd: Delegate=yes)."
        : "Enable these controllers for the group of this process, or run as root.",
    evidence,
  };
}

interface Mount {
  readonly path: string;
  readonly version: 1 | 2;
  /** Controllers of version 1, from the mount's options. */
  readonly options: readonly string[];
}

interface Group {
  readonly path: string;
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
  readonly writable: boolean;
}

/** The hierarchies among the mounts: `cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0`. */
export function mountsIn(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, path, type, options = ""] = line.split(" ");
    if (path === undefined || (type !== "cgroup" && type !== "cgroup2")) return [];
    return [{ path, version: type === "cgroup" ? 1 : 2, options: options.split(",") }];
  });
}

/** The group of this process by controller; version 2 is the one without: `0::/user.slice`. */
export function membershipsIn(text: string): ReadonlyMap<string, string> {
  const entries = text.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    return controllers.split(",").map((controller) => [controller, path] as const);
  });
  return new Map(entries);
}

async function groupAt(mount: Mount, own: ReadonlyMap<string, string>): Promise<Group> {
  const names = mount.version === 1 ? mount.options.filter((name) => own.has(name)) : [""];
  const inner = own.get(names[0] ?? "") ?? "/";
  // A group's path is as the host sees it; inside a container the mount may start at our own group.
  const nested = join(mount.path, inner);
  const path = (await isReadable(nested)) ? nested : mount.path;
  const controllers =
    mount.version === 1
      ? names.map((name) => oldNames[name] ?? name)
      : (await textOf(join(path, "cgroup.controllers"))).trim().split(" ").filter(Boolean);
  return { path, version: mount.version, controllers, writable: await isWritable(path) };
}

function controllersOf(groups: readonly Group[]): string[] {
  return groups.flatMap(({ controllers }) => controllers);
}

async function isReadable(path: string): Promise<boolean> {
  return mayAccess(path, constants.R_OK);
}

/** The right to make a group inside; on a read-only mount even root has not got it. */
async function isWritable(path: string): Promise<boolean> {
  return mayAccess(path, constants.W_OK);
}

async function mayAccess(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
