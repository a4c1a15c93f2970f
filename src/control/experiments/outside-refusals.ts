import type { Experiment } from "../../chaos/experiment/index.ts";
import type { ExperimentSettings } from "./settings.ts";

const outsideProbes = ["command", "http", "promql"] as const;

/** What a probe may read in the namespace that its experiment is about: nothing that holds secrets. */
const ownKinds = [
  "v1/pods",
  "v1/services",
  "apps/v1/deployments",
  "apps/v1/statefulsets",
  "batch/v1/jobs",
];

/**
 * Why an experiment reaches outside of what a server should do for whoever may inject: it would start programs
 * of the caller's choice, or ask with this server's place in the network and its rights in the cluster.
 */
export function outsideRefusals(
  { workload, steadyState = [], limits = {} }: Experiment,
  { outside, worlds }: Pick<ExperimentSettings, "outside" | "worlds">,
): readonly string[] {
  const probes = [...steadyState, ...(limits.abortWhen ?? [])];
  const has = (kind: string) => probes.some((probe) => Object.hasOwn(probe, kind));
  const allows = "of the server's configuration allows it";
  const asks = (kind: string, setting: string) =>
    `it has a probe of the kind ${kind}, and only \`${setting}\` ${allows}`;
  return [
    ...(outside || workload.kind !== "command"
      ? []
      : [`its workload starts a program, and only \`experiments.outside\` ${allows}`]),
    ...(outside || workload.kind !== "slurm" || workload.output === undefined
      ? []
      : [`it reads a file of the server's machine, and only \`experiments.outside\` ${allows}`]),
    ...(outside ? [] : outsideProbes.filter(has).map((kind) => asks(kind, "experiments.outside"))),
    ...(worlds.includes("kubernetes") || !has("kubernetes")
      ? []
      : [asks("kubernetes", "kubernetes in experiments.worlds")]),
    ...(outside ? [] : foreignReads(workload, probes)),
  ];
}

type Probe = NonNullable<Experiment["steadyState"]>[number];

/** Probes that would read elsewhere with this server's rights; a node's state is everybody's business. */
function foreignReads(
  workload: Experiment["workload"],
  probes: readonly Probe[],
): readonly string[] {
  const own = workload.kind === "pods" ? workload.namespace : undefined;
  const isOwn = ({ resource, namespace, field }: KubernetesProbe) =>
    resource === "v1/nodes"
      ? namespace === undefined && field.startsWith("status.")
      : ownKinds.includes(resource) && namespace !== undefined && namespace === own;
  const reads = probes.flatMap((probe): readonly KubernetesProbe[] =>
    "kubernetes" in probe && probe.kubernetes !== undefined ? [probe.kubernetes] : [],
  );
  return reads
    .filter((read) => !isOwn(read))
    .map(
      ({ resource }) =>
        `it has a probe that reads ${resource}; without \`experiments.outside\` probes read the state of nodes, and ${ownKinds.join(", ")} of the workload's namespace`,
    );
}

interface KubernetesProbe {
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly field: string;
}
