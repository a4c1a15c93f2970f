import type { SlurmClient } from "../../../../platform/slurm/index.ts";
import { isDownOrRebooting, isDrained } from "../discovery/node-states.ts";
import type { SlurmIdentity } from "../names.ts";
import { isTakenDown } from "./closure.ts";
import { isForUs } from "./whose-drain.ts";

/**
 * Lifts the drain of a node that is for us to lift, and no other: whoever drained the node since it was
 * last looked at gave it their reason. Nothing but the drain: RESUME would also bring up a node that is
 * down and call off a boot. False when it is somebody else's, or not for now; none to lift is true.
 */
export async function liftOurDrain(
  client: SlurmClient,
  name: string,
  who: SlurmIdentity,
): Promise<boolean> {
  const node = (await client.nodes()).find((one) => one.name === name);
  if (node === undefined || !isDrained(node)) return true;
  if (!isForUs(node, who) || isTakenDown(node, who)) return false;
  if (isDownOrRebooting(node)) return false;
  await client.updateNode(name, { state: "UNDRAIN" });
  return true;
}
