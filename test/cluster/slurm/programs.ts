/** Slurm's and munge's programs that a cluster starts or asks. */
const always = ["munged", "munge", "slurmctld", "slurmd", "scontrol", "sinfo"];
const forAccounting = ["slurmdbd", "sacctmgr", "mariadbd", "mariadb-install-db"];

/** The programs that the Slurm of a cluster of this shape needs. */
export function slurmPrograms(shape: {
  readonly slurm: number;
  readonly slurmAccounting: boolean;
}): readonly string[] {
  if (shape.slurm === 0) return [];
  return [...always, ...(shape.slurmAccounting ? forAccounting : [])];
}
