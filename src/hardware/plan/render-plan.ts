import type { FaultAction } from "../objects/index.ts";
import type { DetectorPlan, FaultPlan } from "./fault-plan.ts";

const podsShown = 20;

/** A plan for people: what is done, who should react, who is hit, and what the guard says. */
export function renderPlan(plan: FaultPlan): string {
  return [
    `What:      ${describeAction(plan.action)}`,
    ...plan.lines.map((line) => `  line     ${line}`),
    ...(plan.restarts === undefined ? [] : [`Restarts:  ${plan.restarts}`]),
    `Machine:   ${machineText(plan)}`,
    ...(plan.detectors.length === 0 ? [] : ["Detectors:"]),
    ...plan.detectors.flatMap(renderDetector),
    ...renderPods(plan),
    "Guard:",
    ...plan.guard.map(
      ({ rule, verdict, reason }) => `  ${verdict.padEnd(6)} ${rule.padEnd(15)} ${reason}`,
    ),
    verdictLine(plan),
    "",
  ].join("\n");
}

/** A fault in a few words. */
export function describeAction(action: FaultAction): string {
  switch (action.kind) {
    case "xid":
      return `XID ${action.lines.map(({ xid }) => xid).join(", ")} in the kernel log of ${action.node}`;
    case "cuda":
      return `CUDA calls of ${action.scope} on ${action.node} fail as after XID ${action.fault.xid}`;
    case "passthrough":
      return `the shim goes into the pods of ${action.workload.kind} ${action.workload.namespace}/${action.workload.name}`;
    case "partition":
      return `pods of ${action.namespace} are cut off (${action.direction})`;
  }
}

function machineText({ realReboot }: FaultPlan): string {
  if (realReboot === "yes") return "may REALLY be reset, restarted or replaced";
  return realReboot === "no"
    ? "nothing real is restarted"
    : "unknown whether it is really restarted";
}

function renderDetector(each: DetectorPlan): readonly string[] {
  const here = { yes: "installed", no: "not installed", unknown: "perhaps installed" }[
    each.present
  ];
  const { timing } = each;
  const when = timing === undefined ? "" : `, within ${timing.toMs / 1000} s (${timing.source})`;
  return [
    `  ${each.name.padEnd(10)} ${here}; ${each.matched ? "sees it" : "does not see it"}${each.isFatal ? ", fatal" : ""}; recommends ${each.action}`,
    `  ${"".padEnd(10)} cordon: ${each.cordon}; drain: ${each.drain}${each.matched ? when : ""}`,
    `  ${"".padEnd(10)} ${each.why}`,
  ];
}

function renderPods({ pods }: FaultPlan): readonly string[] {
  if (pods.length === 0) return [];
  const rest = pods.length - podsShown;
  return [
    "Pods:",
    ...pods
      .slice(0, podsShown)
      .map(({ name, workload, effect }) => `  ${name} (${workload}): ${effect}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function verdictLine({ guard }: FaultPlan): string {
  const refused = guard.filter(({ verdict }) => verdict === "refuse").map(({ rule }) => rule);
  return refused.length === 0 ? "The guard lets it." : `The guard says no: ${refused.join(", ")}.`;
}
