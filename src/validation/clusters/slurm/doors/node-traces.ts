import type {
  SlurmClient,
  SlurmJob,
  SlurmNode,
  SlurmReservation,
} from "../../../../platform/slurm/index.ts";
import { isClear, type NodeTraces } from "../../cluster.ts";
import { jobsOfAnyStore } from "../jobs/own-jobs.ts";
import { isOurComment, isOurDrain, reservationName, type SlurmIdentity } from "../names.ts";
import { closureOf } from "./closure.ts";
import { liftOurDrain } from "./lift-our-drain.ts";
import { rememberedReason } from "./remembered-reason.ts";

interface Seen {
  readonly reservations: readonly SlurmReservation[];
  readonly jobs: readonly SlurmJob[];
  readonly who: SlurmIdentity;
}

/** What of ours is on a node, and why it is closed: a drain that asks us to accept it is not ours. */
export function tracesOf(
  node: SlurmNode,
  { reservations, jobs, who }: Seen,
): { readonly traces: NodeTraces; readonly reason: string; readonly isDrained: boolean } {
  const { by, drained, reserved } = closureOf(node, reservations, who);
  const reason = rememberedReason(node, jobsOfAnyStore(jobs, who), who.cluster);
  const traces = {
    node: node.name,
    isClosedByUs: by === "ours" && isOurDrain(who.cluster, reason),
    labels: [],
    annotations: [
      ...(node.comment !== "" && isOurComment(node.comment) ? ["comment"] : []),
      ...(reserved ? [`reservation ${reservationName(who.cluster, node.name)}`] : []),
    ],
  };
  return { traces, reason, isDrained: drained };
}

/** Takes it off. A node that was drained for us to accept it is drained as before, also from the middle of its test. */
export async function clearNode(
  client: SlurmClient,
  name: string,
  who: SlurmIdentity,
): Promise<NodeTraces | undefined> {
  const [reservations, jobs] = await Promise.all([client.reservations(), client.jobs()]);
  const node = (await client.nodes()).find((one) => one.name === name);
  if (node === undefined) return undefined;
  const { traces, reason, isDrained } = tracesOf(node, { reservations, jobs, who });
  if (isClear(traces)) return undefined;
  const { by, reserved } = closureOf(node, reservations, who);
  if (by === "ours" && !traces.isClosedByUs && !isDrained) {
    await client.updateNode(name, { state: "DRAIN", reason });
  }
  if (traces.annotations.includes("comment")) await client.updateNode(name, { comment: "" });
  if (reserved) await client.deleteReservation(reservationName(who.cluster, name));
  if (traces.isClosedByUs && isDrained) await liftOurDrain(client, name, who);
  return traces;
}
