import { TesseraError } from "../../../platform/errors/index.ts";
import type { SlurmClient, SlurmJob } from "../../../platform/slurm/index.ts";

const problems: Readonly<Record<string, string>> = {
  PREEMPTED: "was preempted by another job",
  TIMEOUT: "came to the end of its time limit",
  DEADLINE: "came to the end of its deadline",
  CANCELLED: "was cancelled",
  NODE_FAIL: "lost a node",
  BOOT_FAIL: "got a node that did not boot",
  OUT_OF_MEMORY: "ran out of memory",
};

/** How Slurm's own words for why it ended a step begin: `NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS`. */
const reasons: readonly (readonly [words: string, state: string])[] = [
  ["PREEMPTION", "PREEMPTED"],
  ["TIME LIMIT", "TIMEOUT"],
  ["NODE FAILURE", "NODE_FAIL"],
];

/** What became of the job as a whole, where that ended its ranks; undefined where it did not. */
export function jobEnded(
  job: Pick<SlurmJob, "id" | "state" | "nodes">,
  said: { readonly because: string; readonly failedNode: string | undefined },
): TesseraError | undefined {
  const [, told] = reasons.find(([words]) => said.because.startsWith(words)) ?? [];
  const state = told ?? job.state;
  const problem = problems[state];
  if (problem === undefined) return undefined;
  const where = said.failedNode === undefined ? "" : ` (${said.failedNode})`;
  const on = job.nodes.length === 0 ? "" : ` on ${nodeNames(job.nodes)}`;
  return jobError(job.id, `${problem}${where} while its ranks ran${on}`, remedies[state]);
}

const remedies: Readonly<Record<string, string>> = {
  PREEMPTED: "Run again, or ask with --partition or --qos for a place that is not preempted.",
  TIMEOUT: "Ask for more with --time, or for fewer sizes, steps or iterations.",
};

/** An E_SLURM_JOB. */
export function jobError(
  job: number | string,
  problem: string,
  remedy = "`scontrol show job` and `sacct` may say more. Nothing was returned; run again.",
): TesseraError {
  return new TesseraError("E_SLURM_JOB", { job: String(job), problem, remedy });
}

/** Some names, and how many more there are. */
export function nodeNames(nodes: readonly string[]): string {
  const shown = nodes.slice(0, 8);
  const more = nodes.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether Slurm still ends what the job ran; until then some releases do not say how it ended. */
export function isCompleting({ state, flags }: Pick<SlurmJob, "state" | "flags">): boolean {
  return state === "COMPLETING" || flags.includes("COMPLETING");
}

/** Through whom a job is seen. */
export interface JobView {
  readonly client: SlurmClient;
  /** Whose job it is; undefined when not known. */
  readonly user: string | undefined;
}

/**
 * The job of this number, where the controller still remembers it. Looked for among this user's jobs, for a
 * busy cluster has many more; one that is not there may go by another user's name.
 */
export async function jobOf({ client, user }: JobView, id: number): Promise<SlurmJob | undefined> {
  const among = (jobs: readonly SlurmJob[]) => jobs.find((job) => job.id === id);
  const own = user === undefined ? undefined : among(await client.jobs({ choice: { user } }));
  return own ?? among(await client.jobs());
}

/** How long to wait for a second look at a job, and then for each next one. */
export const lookFirstMs = 250;
const lookMostMs = 2000;
export function nextLookMs(waitedMs: number): number {
  return Math.min(2 * waitedMs, lookMostMs);
}
