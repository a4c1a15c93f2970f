import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Slurm. */
export const slurmRows = {
  E_SLURM_MISSING: {
    message: "There is no Slurm here: {tool} cannot be started ({problem}).",
    hint: "Install Slurm's client programs on this machine, or set `slurm.bin` to the folder that holds them.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_SLURM_UNREACHABLE: {
    message: "Slurm's controller does not answer {tool}: {problem}",
    hint: "Check that slurmctld and munge run, and that `slurm.conf` (or SLURM_CONF) names this cluster's configuration.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_SLURM_DENIED: {
    message: "Slurm does not allow {tool}: {problem}",
    hint: "Give this user the rights that docs/slurm.md lists: AdminLevel=Admin for draining nodes, access to the partition, account and QOS for jobs.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_SLURM_FAILED: {
    message: "{tool} failed: {problem}",
    hint: "The words are Slurm's own. Try the same command by hand on this machine.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_SLURM_JOB: {
    message: "Slurm's job {job} {problem}.",
    hint: "{remedy}",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_SLURM_SHAPE: {
    message: "What {tool} of Slurm {release} printed is not understood: {field}: {problem}",
    hint: "Nothing was concluded from it. Please report it with the output of that command; docs/slurm.md lists the releases that are known to work.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
} as const satisfies Record<string, ErrorRow>;
