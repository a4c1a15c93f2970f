import type { SlurmSubmission } from "../../../platform/slurm/index.ts";
import { partVariables, type RunRanges, rangesText } from "../spread/index.ts";
import type { CampaignFolder } from "./campaign-folder.ts";

export interface ArrayJobOptions {
  readonly name: string;
  readonly folder: CampaignFolder;
  /** `tessera` as compute nodes find it. */
  readonly program: string;
  /** Where the program finds its interpreter on a node. */
  readonly searchPath: string;
  readonly seed: string;
  /** Of each task. */
  readonly tasks: readonly RunRanges[];
  /** Which of the tasks. */
  readonly indexes: readonly number[];
  /** Tasks at once. @default as many as the cluster lets run */
  readonly atOnce?: number | undefined;
  /** How long a task may run. @default as long as the partition lets it */
  readonly timeLimitMs?: number | undefined;
  readonly partition?: string | undefined;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
}

/** The same text for every campaign: all that varies is in the environment. */
const script = '#!/bin/sh\nexec "$TESSERA_PROGRAM" agent chaos-part\n';

/** A job array: each task makes the runs of its ranges and leaves them in the campaign's folder. */
export function arrayJob(options: ArrayJobOptions): SlurmSubmission {
  const { name, folder, program, searchPath, seed, tasks, indexes, atOnce } = options;
  const { timeLimitMs, partition, account, qos } = options;
  const limit = atOnce === undefined ? "" : `%${atOnce}`;
  return {
    script,
    args: [
      `--job-name=${name}`,
      `--array=${arrayText(indexes)}${limit}`,
      "--ntasks=1",
      "--cpus-per-task=1",
      "--mem=1G",
      // We start a lost task again ourselves: Slurm lets one that it puts back wait for minutes.
      "--no-requeue",
      "--chdir=/",
      `--output=${folder.logPattern}`,
      // Slurm counts in minutes.
      ...(timeLimitMs === undefined ? [] : [`--time=${Math.ceil(timeLimitMs / 60_000)}`]),
      ...(partition === undefined ? [] : [`--partition=${partition}`]),
      ...(account === undefined ? [] : [`--account=${account}`]),
      ...(qos === undefined ? [] : [`--qos=${qos}`]),
    ],
    env: {
      PATH: searchPath,
      HOME: "/tmp",
      TESSERA_PROGRAM: program,
      [partVariables.seed]: seed,
      [partVariables.ranges]: rangesText(tasks),
      [partVariables.folder]: folder.path,
    },
  };
}

/** As sbatch takes it, and short: `0-2,5`. */
function arrayText(indexes: readonly number[]): string {
  const sorted = indexes.toSorted((one, other) => one - other);
  const stretches: { first: number; last: number }[] = [];
  for (const index of sorted) {
    const stretch = stretches.at(-1);
    if (stretch?.last === index - 1) stretch.last = index;
    else stretches.push({ first: index, last: index });
  }
  return stretches
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(",");
}
