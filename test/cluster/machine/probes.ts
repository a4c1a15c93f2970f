import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assetPath } from "../binaries/resolve.ts";
import { hierarchies } from "./cgroups.ts";
import { findProgram, programPath } from "./programs.ts";
import type { RequirementId } from "./requirements.ts";

const cniFolders = ["/usr/lib/cni", "/opt/cni/bin"];
const cniPlugins = ["ptp", "host-local", "loopback"];

/** The folder with the CNI plugins, or undefined. */
export function cniFolder(): string | undefined {
  return cniFolders.find((folder) =>
    cniPlugins.every((plugin) => existsSync(join(folder, plugin))),
  );
}

const probes: Readonly<Record<RequirementId, () => boolean>> = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  unshare: () => hasPrograms("unshare", "nsenter"),
  mount: () => hasPrograms("mount"),
  ip: () => hasPrograms("ip"),
  openssl: () => hasPrograms("openssl"),
  etcd: () => assetPath("etcd") !== undefined || hasPrograms("etcd"),
  namespaces: () => succeeds("unshare", "--net", "--mount", "--pid", "--fork", "true"),
  go: () => isGoNewEnough(output("go", "version")),
  nft: () => hasPrograms("nft"),
  containerd: () => hasPrograms("containerd", "ctr", "containerd-shim-runc-v2"),
  runc: () => hasPrograms("runc"),
  cni: () => cniFolder() !== undefined,
  busybox: () => {
    const busybox = findProgram("busybox");
    return busybox !== undefined && isStatic(busybox);
  },
  ldd: () => hasPrograms("ldd"),
  cgroups: () => hierarchies().length > 0,
  munge: () => hasPrograms("munged", "munge"),
  slurmctld: () => hasPrograms("slurmctld"),
  slurmd: () => hasPrograms("slurmd", "slurmstepd"),
  "slurm-client": () => hasPrograms("sbatch", "srun", "squeue", "sinfo", "scontrol", "sacctmgr"),
  slurmdbd: () => hasPrograms("slurmdbd"),
  mariadb: () => hasPrograms("mariadbd", "mariadb-install-db"),
};

/** Whether this machine meets a requirement. */
export function machineHas(id: RequirementId): boolean {
  return probes[id]();
}

/** True for the output of `go version` of Go 1.24 or newer. */
export function isGoNewEnough(text: string): boolean {
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 24);
}

function hasPrograms(...names: readonly string[]): boolean {
  return names.every((name) => findProgram(name) !== undefined);
}

// ldd refuses a program that needs no libraries.
function isStatic(program: string): boolean {
  return !succeeds("ldd", program);
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return attempt(program, args) !== undefined;
}

function output(program: string, ...args: readonly string[]): string {
  return attempt(program, args) ?? "";
}

function attempt(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, [...args], {
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, PATH: programPath() },
    });
  } catch {
    return undefined;
  }
}
