import type { KubeObject } from "../../platform/kube/index.ts";
import type { FieldUndo, WorkloadRef } from "../objects/index.ts";
import { isFields, valueAt } from "./json-pointer.ts";
import { fieldAt } from "./shim-fields.ts";
import { shimTargets } from "./templates.ts";
import { workloadError } from "./workload-types.ts";

/**
 * Why a change of the template would not reach the pods, or not all of them.
 *
 * @throws E_HW_WORKLOAD
 */
export function refuseStuckRollout(object: KubeObject, ref: WorkloadRef): void {
  if (ref.kind === "job") {
    throw workloadError(
      ref,
      "the pod template of a Job cannot change; start it through ManagedDeployment from its manifest, which puts the shim in first",
    );
  }
  if (ref.kind === "deployment" && valueAt(object, "/spec/paused") === true) {
    throw workloadError(ref, "it is paused, so its pods would never get the shim");
  }
  if (ref.kind !== "statefulset") return;
  if (valueAt(object, "/spec/updateStrategy/type") === "OnDelete") {
    throw workloadError(ref, "it updates OnDelete, so its pods would never get the shim");
  }
  const partition = valueAt(object, "/spec/updateStrategy/rollingUpdate/partition") ?? 0;
  if (partition !== 0) {
    throw workloadError(ref, "its updates stop at a partition, so not all pods would get the shim");
  }
}

/**
 * A pod that is started before the old one ends finds no GPU where all are taken, and the roll-out
 * hangs; so one ends first. That also frees the GPU on the node that pods shall prefer.
 */
export function rolloutFields(object: KubeObject, ref: WorkloadRef): readonly FieldUndo[] {
  if (ref.kind !== "deployment" || !shimTargets(object, ref).byGpu) return [];
  const strategy = valueAt(object, "/spec/strategy");
  if (isFields(strategy) && strategy["type"] === "Recreate") return [];
  const rolling = isFields(strategy) ? strategy["rollingUpdate"] : undefined;
  if (!isFields(rolling)) {
    const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
    const whole = fieldAt(object, "/spec/strategy", { type: "RollingUpdate", rollingUpdate });
    return whole === undefined ? [] : [whole];
  }
  const replicas = Number(valueAt(object, "/spec/replicas") ?? 1);
  const fields = [fieldAt(object, "/spec/strategy/rollingUpdate/maxSurge", 0)];
  if (podsOfShare(rolling["maxUnavailable"], replicas) < 1) {
    fields.push(fieldAt(object, "/spec/strategy/rollingUpdate/maxUnavailable", 1));
  }
  return fields.filter((field) => field !== undefined);
}

/** A number of pods, or a share of them cut down to whole ones as Deployments do. */
function podsOfShare(value: unknown, replicas: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : Math.floor((Number(percent) * replicas) / 100);
}
