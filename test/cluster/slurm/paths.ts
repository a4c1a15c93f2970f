import { join } from "node:path";

/** Everything of a cluster's Slurm is below one folder, the same path inside and outside. */
export interface SlurmPaths {
  readonly folder: string;
  /** What SLURM_CONF names; Slurm looks for its other files beside it. */
  readonly conf: string;
  readonly gresConf: string;
  readonly slurmdbdConf: string;
  /** Files that stand for GPUs. */
  readonly devices: string;
  /** What the controller must not forget. */
  readonly state: string;
  readonly spool: string;
  /** One line per job that ended, written by jobcomp/filetxt. */
  readonly jobcomp: string;
  readonly munge: string;
  readonly mungeKey: string;
  readonly mungeSocket: string;
  readonly database: string;
  readonly etc: string;
  /** The shared file system: every node and every user writes here. */
  readonly shared: string;
  readonly homes: string;
}

/** The paths of Slurm in the cluster that lives in `clusterFolder`. */
export function slurmPathsOf(clusterFolder: string): SlurmPaths {
  const folder = join(clusterFolder, "slurm");
  const shared = join(folder, "shared");
  const munge = join(folder, "munge");
  return {
    folder,
    conf: join(folder, "slurm.conf"),
    gresConf: join(folder, "gres.conf"),
    slurmdbdConf: join(folder, "slurmdbd.conf"),
    devices: join(folder, "dev"),
    state: join(folder, "state"),
    spool: join(folder, "spool"),
    jobcomp: join(folder, "jobcomp.txt"),
    munge,
    mungeKey: join(munge, "munge.key"),
    mungeSocket: join(munge, "munge.socket"),
    database: join(folder, "database"),
    etc: join(folder, "etc"),
    shared,
    homes: join(shared, "home"),
  };
}
