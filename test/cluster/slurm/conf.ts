import { slurmNodeName, slurmPorts } from "./addresses.ts";
import type { SlurmPaths } from "./paths.ts";

export interface SlurmConfInput {
  readonly paths: SlurmPaths;
  readonly clusterName: string;
  readonly controllerAddress: string;
  /** Addresses of the nodes, g0 first. */
  readonly nodes: readonly string[];
  readonly accounting: boolean;
  /** Further lines, for a test that needs Slurm set up differently; the last of a key counts. */
  readonly extra: readonly string[];
}

export const gpusPerSlurmNode = 8;
export const controllerHost = "head";

/** Half of the nodes are in one rack, half in the other. */
export function rackOf(index: number, nodes: number): string {
  return index * 2 < nodes ? "rack0" : "rack1";
}

/** The text of slurm.conf. Times are short, so that what sites wait minutes for takes seconds. */
export function slurmConf(input: SlurmConfInput): string {
  const { paths, accounting } = input;
  const names = input.nodes.map((_, index) => slurmNodeName(index)).join(",");
  return lines([
    `ClusterName=${slurmClusterName(input.clusterName)}`,
    `SlurmctldHost=${controllerHost}(${input.controllerAddress})`,
    `SlurmctldPort=${slurmPorts.controller}`,
    `SlurmdPort=${slurmPorts.node}`,
    "SlurmUser=root",
    "SlurmdUser=root",
    "AuthType=auth/munge",
    `AuthInfo=socket=${paths.mungeSocket}`,
    "CredType=cred/munge",
    `StateSaveLocation=${paths.state}`,
    `SlurmdSpoolDir=${paths.spool}/%n`,
    `SlurmctldPidFile=${paths.folder}/slurmctld.pid`,
    `SlurmdPidFile=${paths.spool}/%n.pid`,
    // By parents, not by process groups: programs that make groups of their own end with their job.
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "MpiDefault=none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core_Memory",
    "GresTypes=gpu",
    // The nodes claim more than this machine has.
    "SlurmdParameters=config_overrides",
    "ReturnToService=2",
    "JobRequeue=1",
    "KillWait=5",
    "MinJobAge=300",
    "SlurmctldTimeout=10",
    "SlurmdTimeout=20",
    "SchedulerType=sched/backfill",
    "SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=1",
    `PreemptType=${accounting ? "preempt/qos" : "preempt/partition_prio"}`,
    "PreemptMode=CANCEL",
    "JobCompType=jobcomp/filetxt",
    `JobCompLoc=${paths.jobcomp}`,
    ...(accounting ? accountingLines(input) : []),
    ...input.nodes.map((address, index) => nodeLine(address, index, input.nodes.length)),
    `PartitionName=batch Nodes=${names} Default=YES PriorityTier=10 PreemptMode=OFF MaxTime=7-0 State=UP`,
    `PartitionName=tessera Nodes=${names} PriorityTier=1 PreemptMode=CANCEL MaxTime=1:00:00 State=UP`,
    ...input.extra,
  ]);
}

/** The text of gres.conf: a bare `Count=` registers as 0, so each GPU is a file. */
export function gresConf(input: Pick<SlurmConfInput, "paths" | "nodes">): string {
  const names = input.nodes.map((_, index) => slurmNodeName(index)).join(",");
  const files = `${input.paths.devices}/nvidia[0-${gpusPerSlurmNode - 1}]`;
  return lines([`NodeName=${names} Name=gpu Type=h100 File=${files}`]);
}

/** The text of slurmdbd.conf. The database is reached by the socket its library knows. */
export function slurmdbdConf(input: Pick<SlurmConfInput, "paths" | "controllerAddress">): string {
  const { paths } = input;
  return lines([
    "AuthType=auth/munge",
    `AuthInfo=socket=${paths.mungeSocket}`,
    `DbdHost=${controllerHost}`,
    `DbdAddr=${input.controllerAddress}`,
    `DbdPort=${slurmPorts.accounting}`,
    "SlurmUser=root",
    `PidFile=${paths.folder}/slurmdbd.pid`,
    "StorageType=accounting_storage/mysql",
    "StorageHost=localhost",
    "StorageUser=root",
    "StorageLoc=slurm",
  ]);
}

/** Slurm makes table names of it: no dashes. */
export function slurmClusterName(clusterName: string): string {
  return clusterName.replaceAll("-", "_");
}

function nodeLine(address: string, index: number, nodes: number): string {
  const gpus = `Gres=gpu:h100:${gpusPerSlurmNode}`;
  const size = `CPUs=8 RealMemory=64000 ${gpus}`;
  return `NodeName=${slurmNodeName(index)} NodeAddr=${address} ${size} Feature=${rackOf(index, nodes)},ib`;
}

function accountingLines({ paths, controllerAddress }: SlurmConfInput): string[] {
  return [
    "AccountingStorageType=accounting_storage/slurmdbd",
    `AccountingStorageHost=${controllerAddress}`,
    // Slurm's name for the socket of the munge that slurmdbd trusts.
    `AccountingStoragePass=${paths.mungeSocket}`,
    `AccountingStoragePort=${slurmPorts.accounting}`,
    "AccountingStorageEnforce=associations,limits,qos",
    "AccountingStorageTRES=gres/gpu",
    "JobAcctGatherType=jobacct_gather/linux",
  ];
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
