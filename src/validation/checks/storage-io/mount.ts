import { constants } from "node:fs";
import { open, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";

/** What lies at a path. */
export interface Mount {
  readonly mountPoint: string;
  /** `ext4`, `nfs4`, `lustre`, `tmpfs`. */
  readonly fsType: string;
  /** The device, or the server and what it exports. */
  readonly source: string;
  readonly options: string;
}

/** The mount that a path is on, by /proc/self/mountinfo; undefined where nobody says. */
export async function findMount(path: string): Promise<Mount | undefined> {
  try {
    const real = await realpath(path);
    return mountOf(real, await readFile("/proc/self/mountinfo", "utf8"));
  } catch {
    return undefined;
  }
}

/** The innermost mount above a path; of two in one place the later one, which hides the other. */
export function mountOf(path: string, mountInfo: string): Mount | undefined {
  let best: Mount | undefined;
  for (const line of mountInfo.split("\n")) {
    const mount = mountIn(line);
    if (mount === undefined || !isAbove(mount.mountPoint, path)) continue;
    if (best === undefined || mount.mountPoint.length >= best.mountPoint.length) best = mount;
  }
  return best;
}

// id parent major:minor root mountPoint options [optional…] - fsType source superOptions
function mountIn(line: string): Mount | undefined {
  const [head = "", tail = ""] = line.split(" - ", 2);
  const [, , , , mountPoint, options] = head.split(" ");
  const [fsType, source, superOptions] = tail.split(" ");
  if (mountPoint === undefined || fsType === undefined || source === undefined) return undefined;
  const all = new Set([...(options ?? "").split(","), ...(superOptions ?? "").split(",")]);
  return {
    mountPoint: unescaped(mountPoint),
    fsType,
    source: unescaped(source),
    options: [...all].filter((option) => option !== "").join(","),
  };
}

function isAbove(mountPoint: string, path: string): boolean {
  return path === mountPoint || path.startsWith(mountPoint === "/" ? "/" : `${mountPoint}/`);
}

/** Spaces and their like are written as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

// A client's own address differs on every node.
const ownOptions = /^(clientaddr|addr|mountaddr)=/;

/**
 * What is the same on all nodes that mount the same thing in the same way. A local disk has the name
 * of a device, which says nothing about it.
 */
export function describeMount(mount: Mount | undefined): string {
  if (mount === undefined) return "unknown mount";
  const { fsType, source, options } = mount;
  if (!source.includes(":")) return fsType;
  const shared = options.split(",").filter((option) => !ownOptions.test(option));
  return `${fsType} ${source} (${shared.join(",")})`;
}

/** Whether files in a folder can be opened past the page cache. */
export async function canBypassCache(folder: string): Promise<boolean> {
  const { O_CREAT, O_DIRECT, O_EXCL, O_WRONLY } = constants;
  if (O_DIRECT === undefined) return false;
  const path = join(folder, "direct-probe");
  try {
    const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_DIRECT, 0o600);
    await file.close();
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== "EINVAL") throw error;
    return false;
  } finally {
    await rm(path, { force: true });
  }
}
