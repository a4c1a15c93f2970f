import assert from "node:assert/strict";

/** What one step of an allocation starts. */
export interface RankStep {
  /** Undefined: the allocation that srun finds itself in. */
  readonly jobId: number | undefined;
  /** Those of the step, by name, in Slurm's order; ranks fill the first before the second. */
  readonly nodes: readonly string[] | number;
  readonly ranks: number;
  readonly ranksPerNode: number;
  /** Each rank has one GPU of its own. */
  readonly gpus: boolean;
}

/**
 * Options of srun for one task a rank, each an argument of its own. The ranks meet by themselves, so
 * that no PMI is asked for; the first that fails ends the step.
 */
export function stepArguments(step: RankStep): readonly string[] {
  const { jobId, nodes, ranks, ranksPerNode, gpus } = step;
  const names = typeof nodes === "number" ? undefined : nodes;
  const count = typeof nodes === "number" ? nodes : nodes.length;
  assert(ranks >= 1 && ranksPerNode >= 1, "a step has ranks");
  return [
    ...(jobId === undefined ? [] : [`--jobid=${jobId}`]),
    `--nodes=${count}`,
    ...(names === undefined ? [] : [`--nodelist=${names.join(",")}`]),
    `--ntasks=${ranks}`,
    `--ntasks-per-node=${Math.min(ranks, ranksPerNode)}`,
    "--distribution=block",
    ...(gpus ? ["--gpus-per-task=1"] : []),
    "--mpi=none",
    "--export=ALL",
    "--input=none",
    "--kill-on-bad-exit=1",
    "--label",
  ];
}
