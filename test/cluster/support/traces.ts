import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../binaries/cache.ts";
import { hierarchies } from "../machine/cgroups.ts";
import { allProcesses, type ProcessId } from "../machine/processes.ts";
import { runChecked } from "../machine/run.ts";
import { interfaceIndex, interfaceNames } from "../namespaces/link.ts";
import { cgroupOf } from "../registry/names.ts";
import { clustersRoot } from "../registry/paths.ts";
import type { ClusterRecord } from "../registry/record.ts";

/**
 * Everything about this machine that a cluster could leave changed. Two of these, one before and
 * one after a cluster, must be equal. What belongs to other clusters that run meanwhile is left out,
 * and so are networks and disks of experiments on this machine, whose suites run beside these.
 */
export interface MachineState {
  readonly processes: readonly string[];
  readonly mounts: readonly string[];
  readonly cgroups: readonly string[];
  readonly interfaces: readonly string[];
  readonly routes: readonly string[];
  readonly files: readonly string[];
  readonly kernelSettings: Readonly<Record<string, string>>;
}

/** What to look for: a cluster's name and, when it is known, its interface. */
export interface Suspect {
  readonly name: string;
  readonly interfaceName?: string;
  /** The kernel's number of it: a cluster that starts later may be given the same name. */
  readonly interfaceIndex?: string | undefined;
}

/** A cluster that runs now, to be looked for when it does not any more. */
export function suspectOf({ name, network }: Required<ClusterRecord>): Required<Suspect> {
  const { interfaceName } = network;
  return { name, interfaceName, interfaceIndex: interfaceIndex(interfaceName) };
}

// Places under fixed names that kubelet, containerd, CNI plugins and Slurm's daemons write to.
const usualPlaces = [
  "/etc/cni",
  "/etc/kubernetes",
  "/opt/cni",
  "/opt/containerd",
  "/run/containerd",
  "/run/netns",
  "/run/flannel",
  "/run/munge",
  "/run/mysqld",
  "/run/slurm-nodes",
  "/usr/libexec/kubernetes",
  "/var/lib/cni",
  "/var/lib/containerd",
  "/var/lib/etcd",
  "/var/lib/kubelet",
  "/var/lib/mysql",
  "/var/spool/slurm",
  "/var/spool/slurmd",
  "/var/log/containers",
  "/var/log/pods",
];

const watchedSettings = [
  "vm/overcommit_memory",
  "vm/panic_on_oom",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/keys/root_maxkeys",
  "kernel/keys/root_maxbytes",
  "net/ipv4/ip_forward",
];

/** Takes stock. */
export async function machineState(suspect: Suspect): Promise<MachineState> {
  const routes = await runChecked("ip", ["-4", "route", "show", "table", "all"]);
  return {
    processes: processesNaming(join(clustersRoot, suspect.name)),
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").filter(isNoExperiments),
    cgroups: cgroupFolders(suspect.name),
    interfaces: interfaceNames().filter((name) => isOurs(name, suspect) && isNoExperiments(name)),
    routes: routes
      .split("\n")
      .filter((line) => !/\btessera\d+\b/.test(line) && isNoExperiments(line)),
    files: [join(clustersRoot, suspect.name), cacheFolder(), ...usualPlaces]
      .flatMap(filesBelow)
      .filter(isNoExperiments),
    kernelSettings: Object.fromEntries(
      watchedSettings.map((name) => [name, readFileSync(join("/proc/sys", name), "utf8")]),
    ),
  };
}

/** The pid namespace a process is in, as the kernel names it. */
export function pidNamespace(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/pid`);
}

/** A process and all that it and those after it started: also those in namespaces below its own. */
export function processesBelow(pid: number): ProcessId[] {
  const all = allProcesses();
  const found = all.filter((stat) => stat.pid === pid);
  for (let index = 0; index < found.length; index += 1) {
    found.push(...all.filter(({ parentPid }) => parentPid === found[index]?.pid));
  }
  return found;
}

/** The processes that are in a pid namespace now. */
export function processesIn(namespace: string): number[] {
  return allProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return pidNamespace(pid) === namespace;
      } catch {
        return false;
      }
    });
}

// Interfaces of other clusters come and go; every other interface of the machine counts.
function isOurs(name: string, suspect: Suspect): boolean {
  if (!/^tessera\d+$/.test(name)) return true;
  const index = suspect.interfaceIndex;
  return name === suspect.interfaceName && (index === undefined || index === interfaceIndex(name));
}

// An experiment on this machine has a namespace, a bridge and links `tc0123ab...` in a folder that `ip` makes
// with the first of them and keeps, and disks `tessera-NAME`; `tessera-cluster` is what covers folders in a cluster.
const ofExperiments = [
  /\btc[0-9a-f]{6}(b|[nv]\d+)\b/,
  /(^| )\/run\/netns( |$)/,
  / - tmpfs tessera-(?!cluster )/,
] as const;

function isNoExperiments(text: string): boolean {
  return !ofExperiments.some((pattern) => pattern.test(text));
}

function processesNaming(folder: string): string[] {
  return allProcesses().flatMap(({ pid }) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return command.includes(`${folder}/`) ? [command] : [];
    } catch {
      return [];
    }
  });
}

// The cluster's own cgroups, and any that a kubelet made in a place of its own choice.
function cgroupFolders(name: string): string[] {
  const own = cgroupOf(name);
  return hierarchies().flatMap(({ folder }) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter((entry) => entry.name === own || entry.name.startsWith("kubepods"))
      .map((entry) => join(folder, entry.name)),
  );
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()];
}
