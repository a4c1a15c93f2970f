/** What ranks need of a Slurm cluster. */
export interface AllocationRequest {
  /** `tessera-all-reduce` */
  readonly name: string;
  readonly nodes: number;
  readonly ranksPerNode: number;
  /** Each rank has one GPU of its own. */
  readonly gpus: boolean;
  readonly partition?: string | undefined;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
  readonly reservation?: string | undefined;
  /** Nodes by name that are not taken. */
  readonly exclude: readonly string[];
  /** Nodes by name that are taken. */
  readonly nodelist: readonly string[];
  /** After so long Slurm ends it all. */
  readonly timeLimitMs: number;
}

const minuteMs = 60_000;

/**
 * Options of salloc and sbatch, each an argument of its own. Nodes are taken whole: a neighbour would
 * be measured with us.
 */
export function allocationArguments(request: AllocationRequest): readonly string[] {
  const { name, nodes, ranksPerNode, gpus, exclude, nodelist, timeLimitMs } = request;
  const named = (["partition", "account", "qos", "reservation"] as const).flatMap((option) => {
    const value = request[option];
    return value === undefined ? [] : [`--${option}=${value}`];
  });
  return [
    `--job-name=${name}`,
    `--nodes=${nodes}`,
    `--ntasks-per-node=${ranksPerNode}`,
    "--exclusive",
    ...(gpus ? [`--gpus-per-node=${ranksPerNode}`] : []),
    `--time=${Math.max(1, Math.ceil(timeLimitMs / minuteMs))}`,
    ...named,
    ...(exclude.length === 0 ? [] : [`--exclude=${exclude.join(",")}`]),
    ...(nodelist.length === 0 ? [] : [`--nodelist=${nodelist.join(",")}`]),
  ];
}
