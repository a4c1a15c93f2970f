import type {
  SlurmClient,
  SlurmJob,
  SlurmNode,
  SlurmPartition,
  SlurmReservation,
} from "../../../platform/slurm/index.ts";

/** The cluster as its controller told it. */
export interface SlurmSnapshot {
  /** When the first of it was asked for. */
  readonly atMs: number;
  readonly nodes: readonly SlurmNode[];
  readonly reservations: readonly SlurmReservation[];
  readonly partitions: readonly SlurmPartition[];
  readonly jobs: readonly SlurmJob[];
}

/**
 * Asks for everything, jobs last: a node that looks free while its job is on the way is seen with
 * that job, and a node whose drain was lifted for a job is never seen without it.
 */
export async function takeSnapshot(
  client: SlurmClient,
  options: {
    readonly atMs: number;
    /** Whose jobs are wanted when they have ended, too. */
    readonly user: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<SlurmSnapshot> {
  const { atMs, user } = options;
  const call = options.signal === undefined ? {} : { signal: options.signal };
  const [partitions, nodes] = await Promise.all([client.partitions(call), client.nodes(call)]);
  const reservations = await client.reservations(call);
  const jobs = await client.jobs({ ...call, choice: { openAnd: user } });
  return { atMs, nodes, reservations, partitions, jobs };
}

/** Where jobs go: the partition of that name, or the cluster's default. */
export function partitionOf(
  partitions: readonly SlurmPartition[],
  wanted: string | undefined,
): SlurmPartition | undefined {
  return partitions.find(({ name, isDefault }) =>
    wanted === undefined ? isDefault : name === wanted,
  );
}
