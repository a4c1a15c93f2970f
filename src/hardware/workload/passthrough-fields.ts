import type { KubeObject } from "../../platform/kube/index.ts";
import { type FieldUndo, shimVariables, type WorkloadRef } from "../objects/index.ts";
import { isFields, withValueAt } from "./json-pointer.ts";
import { refuseStuckRollout, rolloutFields } from "./rollout-fields.ts";
import { type ShimOptions, shimFields } from "./shim-fields.ts";
import { shimTargets } from "./templates.ts";

/**
 * What has to change in a workload so that its pods run with the shim, each value with what was
 * there before. Pure; nothing is left to change the second time. The change of the template
 * replaces the pods: `needsRestart` says so in words.
 *
 * @throws E_HW_WORKLOAD for what cannot be done to this workload
 */
export function passthroughFields(
  object: KubeObject,
  ref: WorkloadRef,
  options: ShimOptions,
): readonly FieldUndo[] {
  refuseStuckRollout(object, ref);
  const fields = shimFields(object, ref, options);
  return fields.length === 0 ? [] : [...fields, ...rolloutFields(object, ref)];
}

/**
 * A manifest whose pods start with the shim, for workloads that are yet to be made: the only way for
 * a Job. Pure.
 *
 * @throws E_HW_WORKLOAD for what cannot be done to this workload
 */
export function withPassthrough<T extends KubeObject>(
  manifest: T,
  ref: WorkloadRef,
  options: ShimOptions,
): T {
  return shimFields(manifest, ref, options).reduce(
    (changed, { pointer, applied }) => withValueAt(changed, pointer, applied),
    manifest,
  );
}

/** What a reader of the plan should know about the containers chosen, each in a sentence. */
export function passthroughNotes(object: KubeObject, ref: WorkloadRef): readonly string[] {
  const { templates, byGpu } = shimTargets(object, ref);
  const containers = templates.flatMap((template) => template.containers);
  const names = [...new Set(containers.map(({ name }) => name))].join(", ");
  const preloading = containers.filter(({ container }) => {
    const env = container["env"];
    return Array.isArray(env) && env.some(isPreload);
  });
  return [
    byGpu
      ? `The shim goes into the containers that ask for GPUs: ${names}.`
      : `No container asks for a GPU, so the shim goes into all of them: ${names}.`,
    ...preloading.map(({ name }) => `The LD_PRELOAD of the container ${name} stays, behind ours.`),
    ...rolloutFields(object, ref)
      .slice(0, 1)
      .map(() => "Pods are replaced one at a time, each ended before its successor starts."),
  ];
}

function isPreload(variable: unknown): boolean {
  return isFields(variable) && variable["name"] === shimVariables.preload;
}
