import type { SlurmJob } from "./words.ts";

/**
 * Which jobs are asked for: `open` are those that have not ended, or not wholly; of a user, all that the
 * controller remembers; `openAnd` a user, both. A busy cluster remembers many times more than a question
 * is about.
 */
export type SlurmJobChoice = "open" | { readonly user: string } | { readonly openAnd: string };

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

/** Whether a job is of those that were asked for. A state that we do not know counts as open. */
export function isChosen(job: SlurmJob, choice: SlurmJobChoice | undefined): boolean {
  if (choice === undefined) return true;
  if (choice !== "open" && "user" in choice) return job.user === choice.user;
  if (choice !== "open" && job.user === choice.openAnd) return true;
  return !endedJobStates.has(job.state) || job.flags.includes("COMPLETING");
}
