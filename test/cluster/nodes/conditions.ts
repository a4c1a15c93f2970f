import type { KubeObject } from "../control-plane/kube-api.ts";

interface NodeStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** True for a Node whose condition Ready is True. */
export function isReady(node: KubeObject | undefined): boolean {
  const conditions = (node?.status as NodeStatus | undefined)?.conditions ?? [];
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
