import type { ChaosPlan } from "../../plan/index.ts";

/** The same job, machines and seed, and nothing breaks. */
export function baselinePlan(plan: ChaosPlan): ChaosPlan {
  return { ...plan, faults: [], defects: [] };
}

/** Of pods and jobs that somebody else runs there is no second run: they are not ours to start. */
export function hasBaseline({ workload }: ChaosPlan): boolean {
  return workload.kind !== "pods" && workload.kind !== "slurm";
}
