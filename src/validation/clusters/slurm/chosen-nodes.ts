import type { SlurmNode } from "../../../platform/slurm/index.ts";
import type { ResolvedSlurmSettings } from "./settings.ts";
import type { SlurmSnapshot } from "./snapshot.ts";

type Choice = Pick<ResolvedSlurmSettings, "partitions" | "features">;

/** Whether a node is of the partitions and has the features that the configuration names. */
export function isLookedAt({ partitions, features }: SlurmNode, choice: Choice): boolean {
  const wanted = choice.partitions;
  return (
    (wanted === undefined || partitions.some((name) => wanted.includes(name))) &&
    choice.features.every((feature) => features.includes(feature))
  );
}

/**
 * Why the configuration leaves no node, undefined when it leaves some. From an empty fleet it would follow
 * that every node has left the cluster.
 */
export function whyNoneIsChosen(nodes: readonly SlurmNode[], choice: Choice): string | undefined {
  if (nodes.some((node) => isLookedAt(node, choice))) return undefined;
  const { partitions = [], features } = choice;
  const lists = [
    { key: "partitions", names: partitions, words: `is in partition ${partitions.join(" or ")}` },
    {
      key: "features",
      names: features,
      words: `has ${features.length > 1 ? "all of the features" : "the feature"} ${features.join(", ")}`,
    },
  ].filter(({ names }) => names.length > 0);
  const keys = lists.map(({ key }) => `\`${key}\``).join(" and ");
  const words = lists.map((list) => list.words).join(" and ");
  return `No node of the cluster ${words}: see ${keys} of its entry.`;
}

const namedMax = 5;

/** What the configuration names and the cluster does not have, in a sentence; undefined when it has all. */
export function unknownNames(
  { nodes, partitions }: Pick<SlurmSnapshot, "nodes" | "partitions">,
  settings: Choice & Pick<ResolvedSlurmSettings, "excludedNodes">,
): string | undefined {
  const lists = [
    told("excludedNodes", settings.excludedNodes, new Set(nodes.map(({ name }) => name))),
    told("partitions", settings.partitions ?? [], new Set(partitions.map(({ name }) => name))),
    told("features", settings.features, new Set(nodes.flatMap(({ features }) => features))),
  ].filter((text) => text !== "");
  if (lists.length === 0) return undefined;
  return `The configuration names what the cluster does not have: ${lists.join("; ")}.`;
}

function told(key: string, names: readonly string[], known: ReadonlySet<string>): string {
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return "";
  const more = unknown.length - namedMax;
  const few = unknown.slice(0, namedMax).join(", ");
  return `in ${key} ${more > 0 ? `${few}, and ${more} more` : few}`;
}
