import { isNotFound, type KubeClient, kubeFailureOf } from "../../platform/kube/index.ts";
import { type HardwareFault, hardwareFaults, isLive, undoFinalizer } from "../objects/index.ts";

/** Faults that are over are kept this long, for whoever wants to look. */
export const keptMs = 24 * 60 * 60 * 1_000;

/** True for a fault that nobody needs any more: it is over, and was deleted or is old. */
export function isCollectable(fault: HardwareFault, nowMs: number): boolean {
  if (isLive(fault)) return false;
  if (fault.metadata.deletionTimestamp !== undefined) return true;
  const overAtMs = Date.parse(fault.status?.history?.at(-1)?.at ?? "");
  return nowMs - overAtMs > keptMs;
}

/** Lets a fault go: without its finalizer it is gone once it is deleted. */
export async function collect(client: KubeClient, fault: HardwareFault): Promise<void> {
  const { name = "", namespace, uid, resourceVersion, finalizers = [] } = fault.metadata;
  const rest = finalizers.filter((each) => each !== undoFinalizer);
  const ref = { name, namespace };
  try {
    if (rest.length < finalizers.length) {
      const metadata = { resourceVersion, finalizers: rest.length === 0 ? null : rest };
      await client.patch(hardwareFaults, ref, { merge: { metadata } });
    }
    await client.delete(hardwareFaults, ref, uid === undefined ? {} : { uid });
  } catch (error) {
    // Gone, or changed meanwhile: then it is looked at again.
    if (!isNotFound(error) && kubeFailureOf(error)?.reason !== "Conflict") throw error;
  }
}
