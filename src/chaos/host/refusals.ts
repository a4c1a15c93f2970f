import { messageOf } from "../../platform/errors/index.ts";
import { planJob } from "../../runtime/training/step/index.ts";
import { faultCatalogue } from "../fault/catalogue/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import { applyFault } from "./faults/index.ts";
import { proxySlotsMax } from "./proxy/link-proxy.ts";

/** Why this machine cannot run a plan, each in a sentence; none: it can. */
export function refusalsOf(plan: ChaosPlan): readonly string[] {
  const { workload, fleet, faults } = plan;
  if (workload.kind !== "training") {
    return [`a ${workload.kind} workload does not run as ranks of this machine`];
  }
  const problems: string[] = [];
  const slots = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode;
  const { dp, tp, pp } = workload.shape;
  if (slots > proxySlotsMax) {
    problems.push(`it has ${slots} slots, and one machine takes ${proxySlotsMax} processes`);
  }
  if (workload.numerics === "timing") {
    problems.push("real processes train for real; a job that only counts runs in the simulator");
  }
  if (workload.checkpoint.asynchronous && tp * pp > 1) {
    problems.push("asynchronous saves of a job cut over tp or pp need exchanges beside its steps");
  }
  try {
    planJob(workload.job, workload.shape);
  } catch (error) {
    problems.push(`the job cannot be cut into ${dp} x ${tp} x ${pp}: ${messageOf(error)}`);
  }
  for (const fault of faults) {
    const isKnown = applyFault[fault.fault] !== undefined;
    if (!isKnown || faultCatalogue[fault.fault].worlds.host === null) {
      problems.push(`${fault.fault} cannot be done to processes of this machine`);
    }
    const strange = fault.targets.find(({ kind }) => kind === "pod" || kind === "kubernetes-node");
    if (strange !== undefined) problems.push(`${fault.id} is meant for a cluster`);
  }
  return problems;
}
