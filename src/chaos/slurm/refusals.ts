import type { ChaosPlan, PlannedFault, SlurmWorkload } from "../plan/index.ts";

const ofJobs: ReadonlySet<string> = new Set(["kill_step", "requeue_job"]);
const ofNodes: ReadonlySet<string> = new Set(["drain_node", "fail_node", "kill_slurmd"]);

/** Why no Slurm can run a plan, each in a sentence; none: one may. */
export function slurmRefusals(
  { workload, faults, defects }: ChaosPlan,
  has: { readonly daemonHook: boolean },
): readonly string[] {
  if (workload.kind !== "slurm") {
    return [`Slurm breaks a job that somebody runs; the workload is of kind ${workload.kind}.`];
  }
  const problems = faults.flatMap((fault) => faultProblems(fault, workload, has));
  if (defects.length > 0) {
    problems.push("Planted bugs are in our own recovery code, not in the jobs of others.");
  }
  return [...new Set(problems)];
}

function faultProblems(
  { fault, targets, trigger }: PlannedFault,
  { output }: SlurmWorkload,
  has: { readonly daemonHook: boolean },
): readonly string[] {
  const problems: string[] = [];
  if (!ofJobs.has(fault) && !ofNodes.has(fault)) {
    problems.push(`${fault} cannot be done through Slurm.`);
  }
  if (fault === "kill_slurmd" && !has.daemonHook) {
    problems.push(
      "kill_slurmd needs `slurm.stopSlurmd` and `slurm.startSlurmd`, the commands that stop and start the daemon of a node.",
    );
  }
  if (trigger.kind === "step" && output === null) {
    problems.push("A step is waited for in what the job prints: give `output`, or a time.");
  }
  if (trigger.kind !== "time" && trigger.kind !== "step") {
    problems.push(`A job of Slurm has no ${trigger.kind} to wait for; give a time or a step.`);
  }
  const kind = ofJobs.has(fault) ? "slurm-job" : "slurm-node";
  const other = targets.find((target) => target.kind !== kind);
  if (other !== undefined) problems.push(`${fault} hits a ${kind}, and no ${other.kind}.`);
  return problems;
}
