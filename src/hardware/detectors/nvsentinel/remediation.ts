import { actionName, type HealthEvent, type RecommendedAction } from "./health-event.ts";

/** What NVSentinel's remediation would do to a machine. The simulator only writes it down. */
export interface Remediation {
  readonly node: string;
  readonly action: RecommendedAction;
  /** The custom resource it would create for the janitor; absent: none, somebody must look at it. */
  readonly resource?: { readonly kind: string; readonly name: string };
}

const resourceKinds: Partial<Record<RecommendedAction, string>> = {
  COMPONENT_RESET: "GPUReset",
  RESTART_VM: "RebootNode",
  RESTART_BM: "RebootNode",
  REPLACE_VM: "TerminateNode",
};

/** What would follow a finished drain. */
export function remediationOf(event: HealthEvent): Remediation {
  const action = actionName(event.recommendedAction);
  const kind = remediationKind(action);
  if (kind === undefined) return { node: event.nodeName, action };
  const name = `maintenance-${event.nodeName}-${event.id ?? "unknown"}`;
  return { node: event.nodeName, action, resource: { kind, name } };
}

/** `RebootNode`, `TerminateNode` or `GPUReset`; undefined for actions that touch no machine. */
export function remediationKind(action: RecommendedAction): string | undefined {
  return resourceKinds[action];
}
