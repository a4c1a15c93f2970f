import type { KubeObject } from "../../platform/kube/index.ts";
import { type PodObject, shimVariables, type WorkloadRef } from "../objects/index.ts";
import { isServing } from "../workload/index.ts";

interface Counted extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly leaderWorkerTemplate?: { readonly size?: number };
  };
}

/**
 * How many pods a workload should have: what its object says, as its controller reads it. A custom
 * one says it in a way of its own; there it is as many as serve now.
 */
export function podsWanted(
  object: KubeObject,
  ref: WorkloadRef,
  pods: readonly PodObject[],
): number {
  const { replicas = 1, parallelism = 1, leaderWorkerTemplate } = (object as Counted).spec ?? {};
  switch (ref.kind) {
    case "deployment":
    case "statefulset":
      return replicas;
    case "job":
      return parallelism;
    case "leaderworkerset":
      return replicas * (leaderWorkerTemplate?.size ?? 1);
    case "custom":
      return Math.max(1, pods.filter(isServing).length);
  }
}

/** Whether the shim is in every pod that stays, and enough of them serve; in words what is missing. */
export function shimIsIn(
  pods: readonly PodObject[],
  wanted: number,
): { readonly holds: boolean; readonly seen: string } {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const withShim = staying.filter(hasShim);
  const serving = withShim.filter(isServing);
  const holds = serving.length >= wanted && withShim.length === staying.length;
  const seen = `${withShim.length} of ${staying.length} pods have the shim, ${serving.length} of ${wanted} serve with it`;
  return { holds, seen };
}

function hasShim({ spec }: PodObject): boolean {
  return (spec?.containers ?? []).some(({ env = [] }) =>
    env.some(({ name }) => name === shimVariables.control),
  );
}
