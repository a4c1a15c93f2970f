import { createHash } from "node:crypto";

/** Which pods are under test, and who makes them. */
export interface WorkloadRef {
  readonly namespace: string;
  readonly name: string;
  readonly kind: WorkloadKind;
  /** For `custom` alone. */
  readonly custom?: CustomWorkload;
}

/**
 * `leaderworkerset` is leaderworkerset.x-k8s.io; `custom` any resource whose pod templates are at
 * known paths (DynamoGraphDeployment, RayCluster, ...).
 */
export const workloadKinds = [
  "deployment",
  "statefulset",
  "job",
  "leaderworkerset",
  "custom",
] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

export interface CustomWorkload {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /**
   * Where pod templates are: `spec.services.*.extraPodSpec`; `*` is any key or index. Each leads to an
   * object with `containers` (a pod spec) or with `spec.containers` (a template).
   */
  readonly templatePaths: readonly string[];
  /** Which pods are its own: `app=vllm`. */
  readonly podSelector: string;
}

/** The name of a workload's control block on every node: the same for all of its pods, for no others. */
export function scopeOf({ namespace, kind, name, custom }: WorkloadRef): string {
  const type = custom === undefined ? kind : `${custom.plural}.${custom.group}`;
  const whole = `${namespace}.${type}.${name}`;
  if (whole.length <= 100 && /^[a-z0-9][a-z0-9.-]*$/.test(whole)) return whole;
  return `w-${createHash("sha256").update(whole).digest("hex").slice(0, 20)}`;
}
