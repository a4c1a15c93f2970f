import { mkdir } from "node:fs/promises";
import { TesseraError } from "../../../../platform/errors/index.ts";
import type { SlurmClient, SlurmJob } from "../../../../platform/slurm/index.ts";
import { runPaths } from "../../../collect/index.ts";
import type { JobRequest } from "../../cluster.ts";
import type { SlurmIdentity } from "../names.ts";
import type { ResolvedSlurmSettings } from "../settings.ts";
import { ownJobOf } from "./own-jobs.ts";
import { submissionOf } from "./submission.ts";

export interface SubmitPlace {
  readonly client: SlurmClient;
  readonly who: SlurmIdentity;
  readonly settings: ResolvedSlurmSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the partition lets jobs run; undefined when it does not say. */
  readonly timeLimitMs: number | undefined;
}

/**
 * Hands a job to sbatch, unless one of that name is there already.
 *
 * @param jobs all jobs, asked for after it was decided to submit.
 * @returns the number of the job that is there now.
 * @throws TesseraError E_JOB_REFUSED when the cluster will never take it, or the name belongs to
 * another run; other errors may pass.
 */
export async function submitJob(
  place: SubmitPlace,
  request: JobRequest,
  given: { readonly jobs: readonly SlurmJob[]; readonly closed: string | undefined },
): Promise<number> {
  const { client, who, settings, env, timeLimitMs } = place;
  const { intent } = request;
  const there = given.jobs.find(({ name, user }) => name === intent.jobName && user === who.user);
  if (there !== undefined) {
    const runId = ownJobOf(there, who)?.mark.runId;
    if (runId === intent.id) return there.id;
    const whose = runId === undefined ? "nobody's run we know" : `run ${runId}`;
    throw refused(who, request, `job ${there.id} has this name and belongs to ${whose}`);
  }
  // Slurm makes no folders for the output of jobs.
  await mkdir(runPaths(settings.resultDir, intent).folder, { recursive: true });
  try {
    const { closed } = given;
    const { store } = who;
    const input = { request, store, settings, closed, env, timeLimitMs };
    return await client.submit(submissionOf(input));
  } catch (error) {
    if (!isFinal(error)) throw error;
    throw refused(who, request, error.message.replace(/\.$/, ""), error);
  }
}

/**
 * Slurm's sentences for what no waiting changes: the request itself is wrong for this cluster. Whole
 * ones, for limits that pass are told with the same words: "job submit limit, user's size and/or time
 * limits".
 */
const finalSentences = [
  /invalid (?:partition|node) name specified/i,
  /invalid generic resource \(gres\) specification/i,
  /invalid (?:feature|wckey|license|node count|--[\w-]+) specification/i,
  /invalid trackable resource \(tres\) specification/i,
  /requested node configuration is not available/i,
  /requested nodes not in this partition/i,
  /requested time limit is invalid/i,
  /time limit specification required/i,
  /more processors requested than permitted/i,
  /requested more tasks than available processors/i,
  /memory required by task is not available/i,
  /(?:node|cpu|task) count specification invalid/i,
  /unrecognized option/i,
];

/** Said of every account and QOS by a controller that has not heard from accounting yet. */
const unknownYet = /invalid (?:account|qos)/i;

function isFinal(error: unknown): error is TesseraError {
  if (!(error instanceof TesseraError)) return false;
  if (error.code === "E_SLURM_DENIED") return !unknownYet.test(error.message);
  return (
    error.code === "E_SLURM_FAILED" && finalSentences.some((words) => words.test(error.message))
  );
}

/** The error for a run whose job the cluster will never take. */
export function refused(
  who: SlurmIdentity,
  request: JobRequest,
  problem: string,
  cause?: unknown,
): TesseraError {
  const { jobName: job } = request.intent;
  return new TesseraError("E_JOB_REFUSED", { cluster: who.cluster, job, problem }, { cause });
}
