import { kubeFailureOf, resourceTypes } from "../../../platform/kube/index.ts";
import type { Deed } from "../../live/index.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed.ts";

const tooManyRequests = 429;

/** Deletes a pod, or asks for its eviction, which a disruption budget may refuse. */
export function killPod(
  { client, namespace, pod }: DeedContext,
  name: string,
  {
    by,
    graceSeconds: gracePeriodSeconds,
  }: { readonly by: "delete" | "evict"; readonly graceSeconds: number },
): Deed {
  const uid = pod(name)?.uid;
  const ref = { namespace, name };
  return {
    target: `pod ${namespace}/${name}`,
    undo: undoes.none(),
    act: async ({ dryRun }) => {
      // Only the pod that was chosen: one that took its name meanwhile is another.
      if (uid === undefined) throw new Error(`there is no pod ${name} any more`);
      const options = { gracePeriodSeconds, uid, dryRun };
      if (by === "delete") return client.delete(resourceTypes.pods, ref, options);
      try {
        // Asked once: a budget that says no is an answer, and no reason to try again.
        await client.evict(ref, { ...options, retryForMs: 0 });
      } catch (error) {
        if (kubeFailureOf(error)?.status !== tooManyRequests) throw error;
        throw new Error(`a disruption budget keeps pod ${name} where it is`, { cause: error });
      }
    },
    see: async () => {
      const now = pod(name);
      if (now === undefined) return { effect: `pod ${name} is gone` };
      if (now.uid !== uid) return { effect: `pod ${name} is another one` };
      return { why: `pod ${name} is still there` };
    },
  };
}
