import { endedJobStates, type SlurmJob } from "../../../../platform/slurm/index.ts";

/** It holds its nodes, or still may: a state that we do not know counts as one that holds. */
export function holdsNodes(job: SlurmJob): boolean {
  if (job.flags.includes("COMPLETING")) return true;
  return job.state !== "PENDING" && !endedJobStates.has(job.state);
}

/** It has not ended, or not wholly. */
export function isOpen(job: SlurmJob): boolean {
  return holdsNodes(job) || job.state === "PENDING";
}

/** Ended as far as its program goes; its node may still be busy with the rest. */
export function hasEnded({ state }: SlurmJob): boolean {
  return endedJobStates.has(state);
}
