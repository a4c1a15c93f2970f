import type { SlurmJob } from "../../../../platform/slurm/index.ts";
import { type JobMark, readJobComment, type SlurmIdentity } from "../names.ts";
import { put } from "../put.ts";
import { holdsNodes, isOpen } from "./job-states.ts";

/** A job of ours: Slurm's, and what its comment says. */
export interface OwnJob {
  readonly job: SlurmJob;
  readonly mark: JobMark;
  /** The node it was made for. */
  readonly node: string;
}

/**
 * Ours by user and by comment: a job that only calls itself so may belong to anybody. One of another
 * store is not: its run is on record there, and here it would look like one that nobody wants.
 */
export function ownJobOf(job: SlurmJob, who: SlurmIdentity): OwnJob | undefined {
  const one = jobOfAnyStore(job, who);
  return one?.mark.store === who.store ? one : undefined;
}

function jobOfAnyStore(
  job: SlurmJob,
  { cluster, user }: Pick<SlurmIdentity, "cluster" | "user">,
): OwnJob | undefined {
  const mark = job.user === user ? readJobComment(job.comment) : undefined;
  if (mark === undefined || mark.cluster !== cluster) return undefined;
  return { job, mark, node: job.requestedNodes[0] ?? job.nodes[0] ?? "" };
}

export function ownJobsOf(jobs: readonly SlurmJob[], who: SlurmIdentity): readonly OwnJob[] {
  return jobs.flatMap((job) => ownJobOf(job, who) ?? []);
}

/** Ours, and those of every other Tessera of the same user: closed nodes and reservations are shared. */
export function jobsOfAnyStore(jobs: readonly SlurmJob[], who: SlurmIdentity): readonly OwnJob[] {
  return jobs.flatMap((job) => jobOfAnyStore(job, who) ?? []);
}

/**
 * One job for each name, and the copies that should not be: a submission that nobody heard of may
 * land after it was made again. The one that runs counts, else the oldest; jobs of one name wait for
 * each other, so the copies have not begun.
 */
export function onePerName(own: readonly OwnJob[]): {
  readonly kept: readonly OwnJob[];
  /** Those of the copies that still wait. */
  readonly surplus: readonly OwnJob[];
} {
  const byName = new Map<string, OwnJob[]>();
  for (const one of own) put(byName, one.job.name, one);
  const kept: OwnJob[] = [];
  const surplus: OwnJob[] = [];
  for (const copies of byName.values()) {
    const [first, ...others] = copies.toSorted(
      (a, b) => rank(a.job) - rank(b.job) || a.job.id - b.job.id,
    );
    if (first !== undefined) kept.push(first);
    surplus.push(...others.filter(({ job }) => job.state === "PENDING"));
  }
  return { kept, surplus };
}

/** What runs says most; what has ended says more than a copy of it that waits. */
function rank(job: SlurmJob): number {
  if (holdsNodes(job)) return 0;
  return isOpen(job) ? 2 : 1;
}
