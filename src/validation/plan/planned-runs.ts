import type { ClusterView } from "../clusters/cluster.ts";
import { costOf, type QueueEntry } from "../prioritize/index.ts";
import type { ValidationSettings } from "../settings.ts";
import type { PlannedRun } from "./planner.ts";

/**
 * The entries of a queue as runs that `runBatch` can begin, in the same order. Entries of nodes that
 * the view does not show, or of checks that the settings do not have, are left out.
 */
export function plannedRuns(
  queue: readonly QueueEntry[],
  view: ClusterView,
  { checks }: Pick<ValidationSettings, "checks">,
): readonly PlannedRun[] {
  const nodes = new Map(view.nodes.map((node) => [node.name, node]));
  return queue.flatMap((entry): PlannedRun[] => {
    const node = nodes.get(entry.node);
    const check = checks.find(({ name }) => name === entry.check);
    if (node === undefined || check === undefined) return [];
    const { reason } = entry;
    const { name, fileSystem } = check;
    const gpuHours = costOf(node, check);
    return [{ node, check: name, purpose: "routine", reason, gpuHours, fileSystem }];
  });
}
