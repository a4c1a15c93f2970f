import type { SlurmNode } from "../../../../platform/slurm/index.ts";
import { isDrained } from "../discovery/node-states.ts";
import type { OwnJob } from "../jobs/own-jobs.ts";
import { drainReason } from "../names.ts";

/**
 * Why a node is closed: what its drain says, else what the newest job says that the drain was lifted
 * for. When nobody remembers, it says so; the audit log has the whole story.
 */
export function rememberedReason(node: SlurmNode, own: readonly OwnJob[], cluster: string): string {
  if (isDrained(node) && node.reason !== "") return node.reason;
  const said = own
    .filter((one) => one.node === node.name && (one.mark.closed ?? "") !== "")
    .toSorted((a, b) => b.job.id - a.job.id);
  return said[0]?.mark.closed ?? drainReason(cluster, "closed until it passes; see the audit log");
}
