import type { Experiment, ResolveOptions } from "../../chaos/experiment/index.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import type { Invocation } from "../invocation.ts";

type Workload = Experiment["workload"];

/** What a cluster has of a workload now, for targets that are chosen by chance; nothing for other workloads. */
export async function knownIn(
  invocation: Invocation,
  workload: Workload,
): Promise<Pick<ResolveOptions, "pods" | "jobNodes">> {
  if (workload.kind === "pods") {
    const { podsOf } = await import("./kubernetes-world.ts");
    return { pods: await podsOf(invocation, workload) };
  }
  if (workload.kind === "slurm") {
    const { jobNodesOf } = await import("./slurm-world.ts");
    return { jobNodes: await jobNodesOf(invocation, workload) };
  }
  return {};
}

/**
 * Has a cluster looked at for all that a run would do, and changes nothing.
 *
 * @throws E_WORLD for whatever a run would be refused for.
 */
export async function rehearseIn(
  invocation: Invocation,
  { world, plan }: { readonly world: "kubernetes" | "slurm"; readonly plan: ChaosPlan },
): Promise<void> {
  if (world === "kubernetes") {
    const { rehearseInCluster } = await import("./kubernetes-world.ts");
    return rehearseInCluster(invocation, plan);
  }
  const { rehearseInSlurm } = await import("./slurm-world.ts");
  return rehearseInSlurm(invocation, plan);
}

/** Takes back what runs left where a workload runs. @returns what came of it, each in a sentence */
export async function recoverIn(
  invocation: Invocation,
  workload: Workload,
  faults: readonly { readonly fault: string }[],
): Promise<readonly string[]> {
  if (workload.kind === "pods") {
    const { recoverInCluster } = await import("./kubernetes-world.ts");
    return recoverInCluster(invocation, workload.namespace, faults);
  }
  if (workload.kind === "slurm") {
    const { recoverInSlurm } = await import("./slurm-world.ts");
    return recoverInSlurm(invocation);
  }
  return [];
}
