import type { SlurmClient, SlurmNode } from "../../../../platform/slurm/index.ts";
import { isAsWritten, isOurDrain, isOurReason, type SlurmIdentity } from "../names.ts";

/** Of a node, why it is drained or down, and who said so. */
type Said = Pick<SlurmNode, "reason" | "reasonBy">;

/**
 * Whether a drain is for us to lift: one that asks us to accept the node, whoever made it, or one of
 * ours. One that somebody else gave a reason of theirs is theirs, also when it begins with ours.
 */
export function isForUs(said: Said, who: SlurmIdentity): boolean {
  const { reason } = said;
  return (
    isOurReason(who.cluster, reason) && (!isOurDrain(who.cluster, reason) || isByUs(said, who))
  );
}

function isByUs({ reason, reasonBy }: Said, { user, reasonUsers }: SlurmIdentity): boolean {
  if (reasonUsers === undefined || reasonBy === "") return true;
  // Of an account that several share only the text tells who it was, as far as anything does.
  if (reasonUsers.includes(reasonBy)) return isAsWritten(reason);
  return reasonBy === user;
}

/**
 * Whose names stand beside reasons that we wrote, besides ours: root's, as whom administrators' own
 * scripts run us, and that of Slurm itself, which adds to reasons and puts its name there. Undefined
 * before 22.05: there it is the name that the person who started the program had logged in with.
 */
export async function reasonUsersOf(
  client: Pick<SlurmClient, "release" | "settings">,
  call: { readonly signal?: AbortSignal },
): Promise<readonly string[] | undefined> {
  const { major, minor } = await client.release(call);
  if (major < 22 || (major === 22 && minor < 5)) return undefined;
  const { slurmuser = "" } = await client.settings(call);
  const [slurmUser = ""] = slurmuser.split("(");
  return [...new Set(["root", slurmUser])].filter((name) => name !== "");
}
