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
  /** Those that ended while it was taken among them. */
  readonly reservations: readonly SlurmReservation[];
  readonly partitions: readonly SlurmPartition[];
  readonly jobs: readonly SlurmJob[];
}

/**
 * Asks for everything, jobs last: a node that looks free while its job is on the way is seen with
 * that job, and a node whose drain was lifted for a job is never seen without it. Slurm cannot be
 * asked for nodes and reservations at once, so reservations are asked for before the nodes and after
 * them: what meets the begin or the end of a closed node's test sees its drain or its reservation.
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
  const [partitions, before] = await Promise.all([
    client.partitions(call),
    client.reservations(call),
  ]);
  const nodes = await client.nodes(call);
  const reservations = joined(before, await client.reservations(call));
  const jobs = await client.jobs({ ...call, choice: { inUseAnd: user } });
  return { atMs, nodes, reservations, partitions, jobs };
}

/** Those that are there, and those that were a moment ago. */
function joined(
  before: readonly SlurmReservation[],
  after: readonly SlurmReservation[],
): readonly SlurmReservation[] {
  const there = new Set(after.map(({ name }) => name));
  return [...after, ...before.filter(({ name }) => !there.has(name))];
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
