import { isTesseraError } from "../../../../platform/errors/index.ts";
import type { SlurmClient } from "../../../../platform/slurm/index.ts";
import { NodeRefusal } from "../../node-refusal.ts";
import { jobsOfAnyStore } from "../jobs/own-jobs.ts";
import { reservationName, type SlurmIdentity } from "../names.ts";
import type { SlurmSnapshot } from "../snapshot.ts";
import { closureOf } from "./closure.ts";
import { liftOurDrain } from "./lift-our-drain.ts";
import { rememberedReason } from "./remembered-reason.ts";

/** Only our jobs run under it, whatever else the node has. */
const reservationFlags = ["MAINT", "IGNORE_JOBS"] as const;

/**
 * Has a job run on a node that we closed, and on which Slurm would start nothing. The drain is lifted
 * last, when the reservation keeps users away and the job remembers the drain's reason.
 *
 * @param hand hands in the job; `closed` undefined: the node is not closed by us (any more).
 * @throws NodeRefusal when Slurm refuses the reservation or to lift the drain; the node stays closed
 * @see choresOf for what follows from an interruption at any point
 */
export async function testClosedNode<T>(
  input: {
    readonly client: SlurmClient;
    readonly who: SlurmIdentity;
    readonly node: string;
    readonly snapshot: SlurmSnapshot;
  },
  hand: (closed: string | undefined) => Promise<T>,
): Promise<T> {
  const { client, who, node: name, snapshot } = input;
  const node = snapshot.nodes.find((one) => one.name === name);
  const closure = node && closureOf(node, snapshot.reservations, who);
  if (node === undefined || closure?.by !== "ours") return await hand(undefined);
  await unlessRefused("its reservation was refused", () =>
    client.createReservation({
      name: reservationName(who.cluster, name),
      nodes: [name],
      users: [who.user],
      flags: reservationFlags,
    }),
  );
  const handed = await hand(
    rememberedReason(node, jobsOfAnyStore(snapshot.jobs, who), who.cluster),
  );
  if (closure.drained) {
    await unlessRefused("its drain could not be lifted", () => liftOurDrain(client, name, who));
  }
  return handed;
}

/** A controller that is away is everybody's trouble; one that says no is this node's. */
async function unlessRefused(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isNo =
      isTesseraError(error) && (error.code === "E_SLURM_DENIED" || error.code === "E_SLURM_FAILED");
    if (!isNo) throw error;
    const problem = `${what} (${error.message.replace(/\.$/, "")})`;
    throw new NodeRefusal(problem, { cause: error });
  }
}
