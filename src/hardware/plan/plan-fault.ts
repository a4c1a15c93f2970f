import { nvSentinelActionOf, remediationKind, xidLine } from "../detectors/index.ts";
import {
  type GuardFacts,
  type GuardLimits,
  type GuardPod,
  type GuardRequest,
  guardLimitsDefaults,
  judgeGuard,
} from "../guard/index.ts";
import { type FaultAction, nodeOf, type XidAction } from "../objects/index.ts";
import { needsRestart } from "../workload/index.ts";
import { detectorPlans } from "./detector-plans.ts";
import type { Answer, DetectorPlan, FaultPlan, PodPlan } from "./fault-plan.ts";

/** Stands for an address that only the agent of the node knows. */
const anyAddress = "0000:00:00";
const podsShownMax = 200;

/** Says what a fault will do and whether the guard lets it: nothing is changed, nothing is asked. */
export function planFault(
  request: GuardRequest,
  facts: GuardFacts,
  limits: GuardLimits = guardLimitsDefaults,
): FaultPlan {
  const { action } = request;
  const node = nodeOf(action);
  const guard = judgeGuard(request, facts, limits);
  const base = { action, ...(node === undefined ? {} : { node }), guard };
  if (action.kind !== "xid") {
    const restarts = restartsOf(action);
    return {
      ...base,
      lines: [],
      detectors: [],
      pods: podPlans(request, facts, () => podEffect(action)),
      realReboot: "no",
      ...(restarts === undefined ? {} : { restarts }),
    };
  }
  const lines = linesOf(action);
  const detectors = detectorPlans(action, lines, { facts, limits });
  return {
    ...base,
    lines,
    detectors,
    pods: podPlans(request, facts, (pod) => xidEffect(pod, detectors)),
    realReboot: realReboot(action, facts),
  };
}

/** Those that cannot be written are left out: the guard says why. */
function linesOf(action: XidAction): readonly string[] {
  const { correlationId, gpu } = action;
  const pci = "pci" in gpu ? gpu.pci : anyAddress;
  return action.lines.flatMap((line) => {
    const written = xidLine({ ...line, pci, correlationId });
    return "line" in written ? [written.line] : [];
  });
}

function realReboot(action: XidAction, { nvsentinel }: GuardFacts): Answer {
  const touches = action.lines.some(
    ({ xid, text }) => remediationKind(nvSentinelActionOf(xid, text)) !== undefined,
  );
  if (!touches) return "no";
  if (!nvsentinel.known) return "unknown";
  const { parts } = nvsentinel.value;
  return parts.includes("fault-remediation") || parts.includes("janitor") ? "yes" : "no";
}

function restartsOf(action: FaultAction): string | undefined {
  return action.kind === "passthrough" ? needsRestart(action.workload) : undefined;
}

function podPlans(
  { namespace }: GuardRequest,
  { pods }: GuardFacts,
  effect: (pod: GuardPod) => string,
): readonly PodPlan[] {
  if (!pods.known) return [];
  const hit = pods.value.filter(
    (pod) => !pod.hasEnded && (pod.usesGpus || pod.namespace === namespace),
  );
  const own = hit
    .filter((pod) => pod.namespace === namespace)
    .slice(0, podsShownMax)
    .map((pod) => ({
      name: `${pod.namespace}/${pod.name}`,
      workload: pod.owner === undefined ? "none" : `${pod.owner.kind}/${pod.owner.name}`,
      effect: effect(pod),
    }));
  return [...own, ...otherPods(hit.filter((pod) => pod.namespace !== namespace).map(effect))];
}

/** Somebody who may plan here need not know what runs in other namespaces: only how many. */
function otherPods(effects: readonly string[]): readonly PodPlan[] {
  return [...new Set(effects)].map((effect) => {
    const count = effects.filter((each) => each === effect).length;
    const name = count === 1 ? "1 pod of another namespace" : `${count} pods of other namespaces`;
    return { name, workload: "not shown", effect };
  });
}

function podEffect(action: Exclude<FaultAction, XidAction>): string {
  switch (action.kind) {
    case "cuda":
      return `its CUDA calls fail as after XID ${action.fault.xid}, if it belongs to ${action.scope} and has the shim`;
    case "passthrough":
      return "replaced by one with the shim, if it belongs to the workload";
    case "partition":
      return "cut off, if it is selected";
  }
}

function xidEffect(pod: GuardPod, detectors: readonly DetectorPlan[]): string {
  if (pod.owner?.kind === "DaemonSet") return "stays: a drain leaves DaemonSets alone";
  const closing = detectors.filter(({ cordon }) => cordon !== "no");
  if (closing.length === 0) return "goes on: no detector closes the node";
  const sentinel = closing.find(({ name }) => name === "nvsentinel");
  if (sentinel === undefined) return "evicted, if the agent's detector drains";
  return `goes on until it is drained (${sentinel.drain})`;
}
