import type { Semaphore } from "../../../../platform/concurrency/index.ts";
import type { SlurmClient, SlurmNode } from "../../../../platform/slurm/index.ts";
import { isClear, type NodeControls } from "../../cluster.ts";
import { isDownOrRebooting } from "../discovery/node-states.ts";
import type { SlurmIdentity } from "../names.ts";
import { drainReason, isOurComment, nodeComment, reservationName } from "../names.ts";
import { type Closure, closureOf } from "./closure.ts";
import { liftOurDrain } from "./lift-our-drain.ts";
import { clearNode, tracesOf } from "./node-traces.ts";

export interface SlurmNodeControlsOptions {
  readonly client: SlurmClient;
  readonly identify: () => Promise<SlurmIdentity>;
  /** One after the other, with the tests of closed nodes: they change the same things. */
  readonly lane: Semaphore;
  /** Whether nodes' comments carry our verdicts. */
  readonly nodeComments: boolean;
  /** A node as it was last seen: a mark is not worth asking for the whole fleet again. */
  readonly seen: (name: string) => SlurmNode | undefined;
  /** Hears that something was changed. */
  readonly onChange: () => void;
}

/** What may be changed about the nodes of a Slurm cluster. */
export function createSlurmNodeControls(options: SlurmNodeControlsOptions): NodeControls {
  const { client, identify, lane, nodeComments, seen, onChange } = options;
  const inLane = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = await lane.run(work);
    onChange();
    return done;
  };
  return {
    mark: async (name, marks) => {
      if (!nodeComments) return;
      const node = seen(name);
      if (node === undefined || !isOurComment(node.comment)) return;
      const said = Object.values({ ...marks.labels, ...marks.annotations });
      const text = said.filter((one) => one !== null).join(", ");
      const comment = text === "" ? "" : nodeComment(text);
      if (comment !== node.comment) await client.updateNode(name, { comment });
    },
    cordon: (name, reason) =>
      inLane(async () => {
        const who = await identify();
        const closure = (await look(client, name, who))?.closure;
        if (closure?.by !== "nobody") return closure?.by === "ours";
        await client.updateNode(name, { state: "DRAIN", reason: drainReason(who.cluster, reason) });
        return true;
      }),
    uncordon: (name) =>
      inLane(async () => {
        const who = await identify();
        const seen = await look(client, name, who);
        if (seen === undefined) return true;
        const { by, drained, reserved } = seen.closure;
        if (by === "others" || (by === "ours" && isDownOrRebooting(seen.node))) return false;
        // A drained node stays closed while its reservation goes; what opens it is the last step.
        if (reserved) await client.deleteReservation(reservationName(who.cluster, name));
        return drained ? await liftOurDrain(client, name, who) : true;
      }),
    traces: async () => {
      const who = await identify();
      const [reservations, jobs] = await Promise.all([client.reservations(), client.jobs()]);
      const nodes = await client.nodes();
      return nodes
        .map((node) => tracesOf(node, { reservations, jobs, who }).traces)
        .filter((traces) => !isClear(traces));
    },
    clear: (name) => inLane(async () => clearNode(client, name, await identify())),
  };
}

async function look(
  client: SlurmClient,
  name: string,
  who: SlurmIdentity,
): Promise<{ readonly node: SlurmNode; readonly closure: Closure } | undefined> {
  const reservations = await client.reservations();
  const node = (await client.nodes()).find((one) => one.name === name);
  return node && { node, closure: closureOf(node, reservations, who) };
}
