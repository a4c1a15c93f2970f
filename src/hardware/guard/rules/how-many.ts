import { type HardwareFault, isLive, nodeOf } from "../../objects/index.ts";
import type { GuardNode } from "../guard-facts.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";

/** So many nodes may be broken at once. */
export const nodesAtOnce: GuardRule = ({ action, facts, limits }) => {
  const node = nodeOf(action);
  if (node === undefined) return undefined;
  return judging("the faults in force", facts.faults, (faults) => {
    const broken = brokenNodes(faults, node).size;
    const text = `${broken} of at most ${limits.nodesMax} nodes at once, this one included`;
    return broken <= limits.nodesMax ? ok(text) : refuse(text);
  });
};

/** And such a part of those with GPUs; one may always be. */
export const partOfTheFleet: GuardRule = ({ action, facts, limits }) => {
  const node = nodeOf(action);
  if (node === undefined) return undefined;
  return judging("the faults in force", facts.faults, (faults) =>
    judging("the nodes", facts.nodes, (nodes) => {
      const fleet = fleetOf(nodes, node);
      const allowed = Math.max(1, Math.floor((fleet.length * limits.percentMax) / 100));
      const broken = brokenNodes(faults, node).size;
      const text = `${broken} of ${fleet.length} nodes, ${limits.percentMax} % are ${allowed}`;
      return broken <= allowed ? ok(text) : refuse(text);
    }),
  );
};

function brokenNodes(faults: readonly HardwareFault[], more: string): ReadonlySet<string> {
  const nodes = faults.filter(isLive).flatMap(({ spec }) => nodeOf(spec.action) ?? []);
  return new Set([...nodes, more]);
}

/** The nodes with GPUs; all of them for a node without. */
function fleetOf(nodes: readonly GuardNode[], name: string): readonly GuardNode[] {
  const fleet = nodes.filter(({ hasGpus }) => hasGpus);
  return fleet.some((node) => node.name === name) ? fleet : nodes;
}
