import { faultCatalogue } from "../fault/catalogue/index.ts";
import type { ChaosPlan, PlannedFault, TrainingWorkload } from "../plan/index.ts";
import { inferenceFaults } from "./inference/index.ts";

/** Why the simulator cannot run a plan, each in a sentence. */
export function refusalsOf(plan: ChaosPlan): readonly string[] {
  const { workload, fleet, faults } = plan;
  if (workload.kind !== "training" && workload.kind !== "inference") {
    return [`The simulator runs training and inference jobs of its own, and no ${workload.kind}.`];
  }
  const slots = fleet.nodes * fleet.devicesPerNode;
  const allSlots = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode;
  const nodes = fleet.nodes + fleet.spareNodes;
  const problems = workload.kind === "training" ? ofTraining(workload, slots) : [];
  if (workload.kind === "inference" && workload.replicas > slots) {
    problems.push(`${workload.replicas} replicas have no place on ${slots} devices.`);
  }
  for (const fault of faults) {
    if (faultCatalogue[fault.fault].worlds.sim === null) {
      problems.push(`${fault.fault} (${fault.id}) is no fault of the simulator.`);
    } else if (workload.kind === "inference" && !inferenceFaults.has(fault.fault)) {
      problems.push(`${fault.fault} (${fault.id}) has nothing to hit in an inference job.`);
    }
    problems.push(...ofTargets(fault, { slots: allSlots, nodes }));
  }
  return problems;
}

function ofTraining({ job, shape, numerics }: TrainingWorkload, slots: number): string[] {
  const problems: string[] = [];
  const ranks = shape.dp * shape.tp * shape.pp;
  if (ranks > slots) problems.push(`${ranks} ranks have no place on ${slots} devices.`);
  if (numerics === "real" && (job.accumulate ?? "exact") !== "exact") {
    problems.push('Only a job with accumulate "exact" has the same bits on every mesh.');
  }
  if (job.batch % (shape.dp * (job.microBatches ?? 1)) !== 0) {
    problems.push(`A batch of ${job.batch} cannot be shared out to ${shape.dp} replicas.`);
  }
  return problems;
}

function ofTargets(
  { id, targets }: PlannedFault,
  { slots, nodes }: { readonly slots: number; readonly nodes: number },
): string[] {
  return targets.flatMap((target) => {
    const bad = (what: string) => [`${id} is about ${what}, which this fleet does not have.`];
    const isSlot = (slot: number) => Number.isInteger(slot) && slot >= 0 && slot < slots;
    switch (target.kind) {
      case "rank":
        return isSlot(target.rank) ? [] : bad(`rank ${target.rank}`);
      case "node":
        return target.node >= 0 && target.node < nodes ? [] : bad(`node ${target.node}`);
      case "link":
        return [target.from, target.to].every(isSlot) ? [] : bad("a link of other ranks");
      case "group":
        return target.ranks.every(isSlot) ? [] : bad("a group of other ranks");
      case "cut":
        return target.sides.flat().every(isSlot) ? [] : bad("other ranks");
      case "storage":
        return [];
      default:
        return [`${id} is about a ${target.kind}, which a simulated fleet does not have.`];
    }
  });
}
