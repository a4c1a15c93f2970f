import type { SlurmSubmission } from "../../../../platform/slurm/index.ts";
import { runPaths } from "../../../collect/index.ts";
import type { JobRequest } from "../../cluster.ts";
import { jobEnvironment } from "../../job-environment.ts";
import { jobComment, reservationName } from "../names.ts";
import type { ResolvedSlurmSettings } from "../settings.ts";

/**
 * The same for every job: what varies is in its environment, so that no text of ours is ever read by
 * a shell. The program takes the place of the shell, and so gets the signals.
 */
export const jobScript = '#!/bin/sh\nexec "$TESSERA_PROGRAM" check run\n';

export interface SubmissionInput {
  readonly request: JobRequest;
  /** Which records the run is in. */
  readonly store: string;
  readonly settings: ResolvedSlurmSettings;
  /** Why its node is closed; undefined for a node that is open to users. */
  readonly closed: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the partition lets jobs run; undefined when it does not say. */
  readonly timeLimitMs?: number | undefined;
}

/**
 * What is handed to sbatch for a run. A partition that allows less time than a run may take would
 * never start its job: then the run has to do with what there is, and gives up in time to say so.
 */
export function submissionOf(given: SubmissionInput): SlurmSubmission {
  const { request, settings, timeLimitMs = Number.POSITIVE_INFINITY } = given;
  const { graceMs } = settings;
  const wantedMs = minuteMs * Math.ceil((request.runTimeoutMs + graceMs) / minuteMs);
  const limitMs = Math.max(minuteMs, Math.min(wantedMs, timeLimitMs));
  const spareMs = Math.min(graceMs, limitMs * spareShare);
  const runTimeoutMs = Math.min(request.runTimeoutMs, Math.floor(limitMs - spareMs));
  const input = { ...given, request: { ...request, runTimeoutMs } };
  return { script: jobScript, args: argsOf(input, limitMs), env: environmentOf(input) };
}

const minuteMs = 60_000;
/** Kept of a short time for handing in. */
const spareShare = 0.1;

function argsOf({ request, store, settings, closed }: SubmissionInput, limitMs: number): string[] {
  const { intent } = request;
  const { cluster, id: runId, node, jobName } = intent;
  const { gres, partition, account, qos, nice } = settings;
  const { output } = runPaths(settings.resultDir, intent);
  const minutes = Math.floor(limitMs / minuteMs);
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`--${name}=${value}`];
  return [
    `--job-name=${jobName}`,
    `--comment=${jobComment({ cluster, runId, store, closed })}`,
    `--nodelist=${node}`,
    "--nodes=1",
    "--ntasks=1",
    "--exclusive",
    ...(gres === null || intent.gpus === 0 ? [] : [`--gres=${gres}:${intent.gpus}`]),
    // All of it: a check that walks the memory of its node has to be allowed to.
    "--mem=0",
    `--time=${minutes}`,
    "--no-requeue",
    `--nice=${nice}`,
    ...option("partition", partition),
    ...option("account", account),
    ...option("qos", qos),
    ...(closed === undefined ? [] : [`--reservation=${reservationName(cluster, node)}`]),
    // Of two copies of a job only one may run at a time.
    "--dependency=singleton",
    "--chdir=/",
    // Slurm fills in what follows a percent sign.
    `--output=${output.replaceAll("%", "%%")}`,
    "--open-mode=append",
    "--export=ALL",
  ];
}

const inherited = ["PATH", "HOME", "LANG"] as const;

/** Closed: nothing of this process goes along that is not named here. */
function environmentOf({ request, settings, env }: SubmissionInput): Record<string, string> {
  const all: Record<string, string | undefined> = {
    ...Object.fromEntries(inherited.map((name) => [name, env[name]])),
    ...jobEnvironment(request, settings.resultDir),
    TESSERA_PROGRAM: settings.program,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
