import type { SlurmPartition, SlurmQos } from "../../../platform/slurm/index.ts";

type Settings = Readonly<Record<string, string>>;

const namesMax = 5;

/**
 * Why jobs of a partition would keep users waiting where priorities of partitions decide; undefined when
 * they would not. Any other partition of the same nodes may be one that users have.
 */
export function whyPartitionStays(
  own: SlurmPartition,
  all: readonly SlurmPartition[],
  settings: Settings,
): string | undefined {
  const type = settings["preempttype"] ?? "";
  if (!type.endsWith("/partition_prio")) return `PreemptType is ${type || "not told"}`;
  const mode = whyModeStays(own.preemptMode);
  if (mode !== undefined) return `its ${mode}`;
  const shared = new Set(own.nodes);
  const others = all.filter(
    ({ name, nodes }) => name !== own.name && nodes.some((node) => shared.has(node)),
  );
  const above = ({ priorityTier }: SlurmPartition) => priorityTier > own.priorityTier;
  if (!others.some(above)) return "no partition of the same nodes has a higher PriorityTier";
  const waiting = others.filter((one) => !above(one));
  if (waiting.length === 0) return undefined;
  return `those of ${named("partition", waiting)} wait, whose PriorityTier is not above ${own.priorityTier}`;
}

/** The same where the QOS decides: jobs of any other QOS may be a user's. */
export function whyQosStays(
  qos: string,
  all: readonly SlurmQos[],
  settings: Settings,
): string | undefined {
  const own = all.find(({ name }) => name === qos);
  if (own === undefined) return `there is no QOS ${qos}`;
  const preempts = (one: SlurmQos) => one.preempts.includes(qos);
  if (!all.some(preempts)) return `no QOS preempts ${qos}`;
  const byCluster = own.preemptMode === "" || own.preemptMode === "CLUSTER";
  const mode = whyModeStays(byCluster ? (settings["preemptmode"] ?? "") : own.preemptMode);
  if (mode !== undefined) return `the ${mode} for QOS ${qos}`;
  const waiting = all.filter((one) => one !== own && !preempts(one));
  if (waiting.length === 0) return undefined;
  return `those of ${named("QOS", waiting)} wait, which does not preempt ${qos}`;
}

/** A job that is suspended keeps its memory, on the node and on the GPUs. */
function whyModeStays(mode: string): string | undefined {
  return /\b(?:OFF|SUSPEND)\b/i.test(mode) ? `PreemptMode is ${mode}` : undefined;
}

function named(kind: string, all: readonly { readonly name: string }[]): string {
  const names = all.slice(0, namesMax).map(({ name }) => name);
  const more = all.length > namesMax ? ` and ${all.length - namesMax} more` : "";
  return `${kind} ${names.join(", ")}${more}`;
}
