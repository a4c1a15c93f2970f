import { type AllocationRequest, allocationArguments } from "./allocation-request.ts";
import { stepArguments } from "./step-arguments.ts";

/**
 * A script for sbatch that runs a rank task as one step, for those who submit it themselves. The secret
 * of the ranks is made in the job, so that none stands in the file; rank 0 prints the result as JSON.
 */
export function batchScript(
  request: AllocationRequest,
  work: { readonly program: string; readonly task: string; readonly input: unknown },
): string {
  const { nodes, ranksPerNode, gpus } = request;
  const ranks = nodes * ranksPerNode;
  const step = stepArguments({ jobId: undefined, nodes, ranks, ranksPerNode, gpus });
  const words = ["srun", ...step.filter((word) => word !== "--label")];
  return `${[
    "#!/bin/sh",
    ...allocationArguments(request).map((option) => `#SBATCH ${option}`),
    "set -eu",
    `TESSERA_RANK_INPUT=${quoted(JSON.stringify(work.input))}`,
    `TESSERA_RANK_SECRET="$(od -An -N32 -tx1 /dev/urandom | tr -d ' \\n')"`,
    "export TESSERA_RANK_INPUT TESSERA_RANK_SECRET",
    `exec ${[...words, quoted(work.program), "agent", "rank", work.task].join(" \\\n  ")}`,
  ].join("\n")}\n`;
}

/** A word that the shell takes as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
