import type { SlurmClient } from "../../../../platform/slurm/index.ts";
import { isDrained } from "../discovery/node-states.ts";
import type { SlurmIdentity } from "../names.ts";
import { isOurReservation, isTakenDown } from "./closure.ts";
import type { Chore } from "./housekeeping.ts";
import { liftOurDrain } from "./lift-our-drain.ts";

/**
 * Does what is to be done, in order: a node is drained before its reservation goes. What fails leaves
 * the rest going, but for what follows from it.
 *
 * @throws the first problem, when all the rest is done
 */
export async function doChores(
  doer: {
    readonly client: SlurmClient;
    readonly who: SlurmIdentity;
    /** Hears of each that changed something, as it is done. */
    readonly onDone: (chore: Chore) => void;
  },
  chores: readonly Chore[],
): Promise<void> {
  const problems: unknown[] = [];
  const undrained = new Set<string>();
  for (const chore of chores) {
    if (chore.kind === "drop-reservation" && undrained.has(chore.node)) continue;
    try {
      if (await doOne(doer, chore)) doer.onDone(chore);
    } catch (error) {
      problems.push(error);
      if (chore.kind === "drain-again") undrained.add(chore.node);
    }
  }
  if (problems.length > 0) throw problems[0];
}

/** What was done, for people. */
export function choreText(chore: Chore): string {
  switch (chore.kind) {
    case "cancel-copy":
      return `Cancelled job ${chore.id}, a copy of ${chore.name}.`;
    case "lift-drain":
      return `Lifted the drain of ${chore.node} for the job that is to test it.`;
    case "drain-again":
      return `Drained ${chore.node} again, now that its test is over: ${chore.reason}`;
    case "drop-reservation":
      return `Dropped reservation ${chore.name}; its node is closed without it.`;
  }
}

/** False when there was nothing to do any more. */
async function doOne(
  { client, who }: { readonly client: SlurmClient; readonly who: SlurmIdentity },
  chore: Chore,
): Promise<boolean> {
  switch (chore.kind) {
    case "cancel-copy":
      await client.cancel([String(chore.id)]);
      return true;
    case "lift-drain":
      return await liftOurDrain(client, chore.node, who);
    case "drain-again": {
      // Somebody may have opened it since it was looked at, when nothing of ours keeps users away any more.
      const reservations = await client.reservations();
      if (!reservations.some((one) => isOurReservation(one, chore.node, who))) return false;
      // Or have closed it: asked last, for a reason of theirs must not be written over.
      const node = (await client.nodes()).find(({ name }) => name === chore.node);
      if (node === undefined || isDrained(node) || isTakenDown(node, who)) return false;
      await client.updateNode(chore.node, { state: "DRAIN", reason: chore.reason });
      return true;
    }
    case "drop-reservation":
      await client.deleteReservation(chore.name);
      return true;
  }
}
