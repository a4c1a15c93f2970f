import type { ChaosPlan, PlannedFault, PodsWorkload } from "../plan/index.ts";

/** Which hooks of the installation there are. */
export interface HooksThere {
  readonly nodeHook: boolean;
  readonly hardware: boolean;
}

const possible: ReadonlySet<string> = new Set([
  "kill_pod",
  "cordon_node",
  "network_policy",
  "fail_node",
  "gpu_xid",
  "cuda_error",
]);

/** Why no cluster can run a plan, each in a sentence; none: one may. */
export function kubernetesRefusals(
  { workload, faults, defects }: ChaosPlan,
  has: HooksThere,
): readonly string[] {
  if (workload.kind !== "pods") {
    return [`A cluster breaks pods that somebody runs; the workload is of kind ${workload.kind}.`];
  }
  const problems = faults.flatMap((fault) => faultProblems(fault, workload, has));
  if (defects.length > 0) {
    problems.push("Planted bugs are in our own recovery code, not in the pods of others.");
  }
  return [...new Set(problems)];
}

function faultProblems(
  { fault, targets, trigger }: PlannedFault,
  workload: PodsWorkload,
  has: HooksThere,
): readonly string[] {
  const problems: string[] = [];
  if (!possible.has(fault)) problems.push(`${fault} cannot be done to a cluster from outside.`);
  if (fault === "fail_node" && !has.nodeHook) {
    problems.push(
      "fail_node needs a hook of the installation that stops a node, and there is none.",
    );
  }
  if ((fault === "gpu_xid" || fault === "cuda_error") && !has.hardware) {
    problems.push(`${fault} needs the fault API of the installation, and none was named.`);
  }
  if (trigger.kind !== "time")
    problems.push(`Pods have no ${trigger.kind} to wait for; give a time.`);
  for (const target of targets) {
    if (target.kind === "pod" && target.namespace !== workload.namespace) {
      problems.push(
        `The pod ${target.name} is in ${target.namespace}, and the workload in ${workload.namespace}.`,
      );
    }
    if (target.kind !== "pod" && target.kind !== "kubernetes-node") {
      problems.push(`A cluster has pods and nodes; the target is a ${target.kind}.`);
    }
  }
  return problems;
}
