import { TesseraError } from "../../platform/errors/index.ts";
import type { ResourceType } from "../../platform/kube/index.ts";
import type { WorkloadKind, WorkloadRef } from "../objects/index.ts";

const builtIn: Readonly<Record<Exclude<WorkloadKind, "custom">, ResourceType>> = {
  deployment: {
    group: "apps",
    version: "v1",
    plural: "deployments",
    kind: "Deployment",
    namespaced: true,
  },
  statefulset: {
    group: "apps",
    version: "v1",
    plural: "statefulsets",
    kind: "StatefulSet",
    namespaced: true,
  },
  job: { group: "batch", version: "v1", plural: "jobs", kind: "Job", namespaced: true },
  leaderworkerset: {
    group: "leaderworkerset.x-k8s.io",
    version: "v1",
    plural: "leaderworkersets",
    kind: "LeaderWorkerSet",
    namespaced: true,
  },
};

/** Where the API server keeps workloads of this kind. */
export function workloadType(ref: WorkloadRef): ResourceType {
  if (ref.kind !== "custom") return builtIn[ref.kind];
  if (ref.custom === undefined) {
    throw workloadError(ref, "it is a custom one, and nobody said where its pod templates are");
  }
  const { group, version, plural, kind } = ref.custom;
  return { group, version, plural, kind, namespaced: true };
}

/** `deployment vllm in serving`. */
export function workloadName({ kind, name, namespace, custom }: WorkloadRef): string {
  return `${kind === "custom" ? (custom?.kind ?? kind) : kind} ${name} in ${namespace}`;
}

export function workloadError(
  ref: WorkloadRef,
  problem: string,
  cause?: unknown,
): TesseraError<"E_HW_WORKLOAD"> {
  const details = { workload: workloadName(ref), problem };
  return new TesseraError("E_HW_WORKLOAD", details, cause === undefined ? {} : { cause });
}
