import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterError } from "../errors.ts";
import { runChecked } from "../machine/run.ts";
import { subnetIndexOf } from "../namespaces/subnet.ts";
import { type ClusterPaths, pathsOf } from "../registry/paths.ts";
import type { SupervisorConfig } from "../supervisor/protocol.ts";
import { type NodesSubnet, nodesSubnet, slurmNodeName } from "./addresses.ts";
import { controllerHost, gpusPerSlurmNode, gresConf, slurmConf, slurmdbdConf } from "./conf.ts";
import { type SlurmPaths, slurmPathsOf } from "./paths.ts";
import { groupWith, passwdWith, slurmUsers } from "./users.ts";

/** What the parts of a cluster's Slurm share while it is set up. */
export interface SlurmContext {
  readonly config: SupervisorConfig;
  readonly clusterPaths: ClusterPaths;
  readonly paths: SlurmPaths;
  readonly subnet: NodesSubnet;
  readonly nodes: readonly { readonly name: string; readonly address: string }[];
  /** What Slurm's programs are run with. */
  readonly env: Readonly<Record<string, string>>;
  program(name: string): string;
  /** Runs one of Slurm's tools as root. @param timeoutMs 20 s by default */
  tool(name: string, args: readonly string[], timeoutMs?: number): Promise<string>;
}

/** Writes the files of a new Slurm cluster and shows its users and names to all inside. */
export async function createSlurmContext(config: SupervisorConfig): Promise<SlurmContext> {
  const clusterPaths = pathsOf(config.folder);
  const paths = slurmPathsOf(config.folder);
  const subnet = nodesSubnet(subnetIndexOf(config.clusterAddress) ?? -1);
  const nodes = Array.from({ length: config.shape.slurm }, (_, index) => ({
    name: slurmNodeName(index),
    address: subnet.node(index),
  }));
  makeFolders(paths, clusterPaths);
  const input = {
    paths,
    clusterName: config.name,
    controllerAddress: config.clusterAddress,
    nodes: nodes.map(({ address }) => address),
    accounting: config.shape.slurmAccounting,
    extra: config.slurmConf,
  };
  writeFileSync(paths.conf, slurmConf(input));
  writeFileSync(paths.gresConf, gresConf(input));
  // slurmdbd refuses a file that others can read.
  writeFileSync(paths.slurmdbdConf, slurmdbdConf(input), { mode: 0o600 });
  writeFileSync(paths.mungeKey, randomBytes(1024), { mode: 0o400 });
  const hosts = [{ name: controllerHost, address: config.clusterAddress }, ...nodes];
  await Promise.all([coverTables(paths, hosts), makeDevices(paths)]);
  const env = { SLURM_CONF: paths.conf };
  const program = (name: string) => {
    const path = config.programs[name];
    if (path === undefined) throw new ClusterError(`the cluster was launched without ${name}`);
    return path;
  };
  return {
    config,
    clusterPaths,
    paths,
    subnet,
    nodes,
    env,
    program,
    tool: (name, args, timeoutMs = 20_000) => runChecked(program(name), args, { env, timeoutMs }),
  };
}

function makeFolders(paths: SlurmPaths, { logs, home, tmp }: ClusterPaths): void {
  const own = [paths.folder, paths.devices, paths.state, paths.spool, paths.munge, paths.etc];
  for (const folder of [logs, home, tmp, ...own, paths.shared, paths.homes]) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  }
  // Not left to the umask: users other than root come by here.
  chmodSync(paths.shared, 0o1777);
  for (const { name, id } of slurmUsers) {
    const folder = join(paths.homes, name);
    mkdirSync(folder, { recursive: true });
    chownSync(folder, id, id);
  }
}

// Character devices, like /dev/null: for plain files Slurm does not say which GPUs a job has.
async function makeDevices(paths: SlurmPaths): Promise<void> {
  for (let gpu = 0; gpu < gpusPerSlurmNode; gpu += 1) {
    await runChecked("mknod", [join(paths.devices, `nvidia${gpu}`), "c", "1", "3"]);
  }
}

/** Users, groups and host names as a site's own tables would have them; seen only inside. */
async function coverTables(
  paths: SlurmPaths,
  hosts: readonly { readonly name: string; readonly address: string }[],
): Promise<void> {
  const names = hosts.map(({ name, address }) => `${address} ${name}`);
  const tables: Readonly<Record<string, string>> = {
    passwd: passwdWith(readFileSync("/etc/passwd", "utf8"), paths.homes),
    group: groupWith(readFileSync("/etc/group", "utf8")),
    hosts: `${["127.0.0.1 localhost", ...names].join("\n")}\n`,
  };
  for (const [name, text] of Object.entries(tables)) {
    const shown = join(paths.etc, name);
    writeFileSync(shown, text, { mode: 0o644 });
    await runChecked("mount", ["--bind", shown, `/etc/${name}`]);
  }
}
