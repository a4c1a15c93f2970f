import { isOpen } from "../jobs/job-states.ts";
import { jobsOfAnyStore, type OwnJob, onePerName, ownJobsOf } from "../jobs/own-jobs.ts";
import type { SlurmIdentity } from "../names.ts";
import type { SlurmSnapshot } from "../snapshot.ts";
import { closureOf, isOurReservation } from "./closure.ts";
import { rememberedReason } from "./remembered-reason.ts";

/** Something that a process which died, or a job which ended, left to be done. */
export type Chore =
  /** A copy of a job that is there already. */
  | { readonly kind: "cancel-copy"; readonly id: number; readonly name: string }
  /** The job of a closed node waits, and the drain that it is to be lifted for is still there. */
  | { readonly kind: "lift-drain"; readonly node: string }
  /** The test of a closed node is over, and only our reservation keeps users away. */
  | { readonly kind: "drain-again"; readonly node: string; readonly reason: string }
  /** Without it users are kept away too, so that the reservation is not needed any more. */
  | { readonly kind: "drop-reservation"; readonly node: string; readonly name: string };

/**
 * What is to be done about copies of jobs and about nodes that are tested though closed. Such a test
 * goes: reserve the node for us, hand in the job, lift the drain; and when the job has ended: drain
 * again, drop the reservation. Between any two of these steps users are kept away by the drain or by
 * the reservation, and from what is seen the next step follows. Everything is done once, however
 * often it is asked for.
 *
 * @param options.opensNodes false while acting is not on: then no drain is lifted, and a test that was
 * begun before is still brought to its end, which leaves the node drained for the same reason.
 */
export function choresOf(
  snapshot: SlurmSnapshot,
  who: SlurmIdentity,
  { opensNodes }: { readonly opensNodes: boolean },
): readonly Chore[] {
  const copies = onePerName(ownJobsOf(snapshot.jobs, who)).surplus.map(
    ({ job }): Chore => ({ kind: "cancel-copy", id: job.id, name: job.name }),
  );
  // Closed nodes and their reservations are shared with whoever has other records.
  const all = jobsOfAnyStore(snapshot.jobs, who);
  const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const doors = snapshot.reservations.flatMap((reservation): Chore[] => {
    const name = reservation.nodes.find((one) => isOurReservation(reservation, one, who));
    const node = name === undefined ? undefined : nodes.get(name);
    if (node === undefined) return [];
    const closure = closureOf(node, snapshot.reservations, who);
    const open = all.filter(
      (one) => one.node === node.name && one.mark.closed !== undefined && isOpen(one.job),
    );
    if (open.length > 0) {
      const isForOurs = open.every(isWaiting) && open.some(({ mark }) => mark.store === who.store);
      return opensNodes && closure.drained && closure.by === "ours" && isForOurs
        ? [{ kind: "lift-drain", node: node.name }]
        : [];
    }
    const drop: Chore = { kind: "drop-reservation", node: node.name, name: reservation.name };
    if (closure.drained || closure.by === "others") return [drop];
    const reason = rememberedReason(node, all, who.cluster);
    return [{ kind: "drain-again", node: node.name, reason }, drop];
  });
  return [...copies, ...doors];
}

function isWaiting({ job }: OwnJob): boolean {
  return job.state === "PENDING";
}
