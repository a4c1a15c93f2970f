import type { SlurmJob } from "./words.ts";

/**
 * Which jobs are asked for: `holding` are those that hold nodes, or did not wholly let go of them; of a
 * user, all that the controller remembers; `inUseAnd` a user, both, and the waiting ones of others that
 * are to start on nodes that are told. A busy cluster remembers many times more than a question is about.
 */
export type SlurmJobChoice = "holding" | { readonly user: string } | { readonly inUseAnd: string };

/** States of jobs that run no more. */
export const endedJobStates: ReadonlySet<string> = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "FAILED",
  "LAUNCH_FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "REVOKED",
  "TIMEOUT",
]);

/** Whether a job is of those that were asked for. A state that we do not know counts as one that holds. */
export function isChosen(job: SlurmJob, choice: SlurmJobChoice | undefined): boolean {
  if (choice === undefined) return true;
  if (choice === "holding") return isHolding(job);
  if ("user" in choice) return job.user === choice.user;
  if (job.user === choice.inUseAnd || isHolding(job)) return true;
  return job.state === "PENDING" && job.plannedNodes.length > 0;
}

function isHolding({ state, flags }: SlurmJob): boolean {
  if (flags.includes("COMPLETING")) return true;
  return state !== "PENDING" && !endedJobStates.has(state);
}
