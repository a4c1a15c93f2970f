import assert from "node:assert/strict";
import { resourceTypes } from "../../../platform/kube/index.ts";
import type { Deed, Sight } from "../../live/index.ts";
import type { PodRef } from "../kubernetes-options.ts";
import { marks, networkPolicies, type PodView } from "../objects.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed.ts";

const policyTypes: Readonly<Record<string, readonly string[]>> = {
  both: ["Ingress", "Egress"],
  ingress: ["Ingress"],
  egress: ["Egress"],
};

/** Cuts pods off by a policy that lets nothing through, where the cluster's network heeds policies. */
export function cutPods(
  context: DeedContext,
  {
    id,
    pods,
    direction,
  }: {
    readonly id: string;
    readonly pods: readonly string[];
    readonly direction: string;
  },
): Deed {
  const { client, namespace, run, isReachable, pod: podNow } = context;
  const name = `tessera-${run}-${id}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .slice(0, 63);
  const types = policyTypes[direction];
  assert(types !== undefined, "the catalogue knows the directions");
  // Only who got through before can tell that nobody gets through now.
  let gotThrough = false;
  const uids = new Map(pods.map((pod) => [pod, podNow(pod)?.uid]));
  return {
    target: `pods ${pods.join(", ")} of ${namespace}`,
    undo: undoes.policy({ namespace, name, pods: [...pods] }),
    act: async ({ dryRun }) => {
      if (!dryRun && isReachable !== undefined) {
        const answers = await Promise.all(pods.map((pod) => isReachable({ namespace, name: pod })));
        gotThrough = answers.every(Boolean);
      }
      for (const pod of pods) {
        const merge = { metadata: { labels: { [marks.cut]: run } } };
        await client.patch(resourceTypes.pods, { namespace, name: pod }, { merge }, { dryRun });
      }
      await client.create(networkPolicies, policyOf(context, name, types), { dryRun });
    },
    see: async () => {
      const sights = await Promise.all(
        pods.map(async (pod) =>
          gotThrough && isReachable !== undefined
            ? askPod(isReachable, { namespace, name: pod }, () =>
                isStill(podNow(pod), uids.get(pod)),
              )
            : lookAtPod(podNow(pod), pod, uids.get(pod)),
        ),
      );
      const through = sights.flatMap((sight) => ("why" in sight ? [sight.why] : []));
      if (through.length > 0) return { why: through.join("; ") };
      return { effect: `nobody gets through to ${pods.join(", ")}` };
    },
  };
}

function policyOf(
  { namespace, run, leaseUntilMs }: DeedContext,
  name: string,
  types: readonly string[],
) {
  const labels = { [marks.run]: run };
  const annotations = { [marks.leaseUntil]: String(leaseUntilMs()) };
  const spec = { podSelector: { matchLabels: { [marks.cut]: run } }, policyTypes: types };
  return { metadata: { name, namespace, labels, annotations }, ...{ spec } };
}

/** `isThere` is asked last: a pod that went meanwhile does not answer either. */
async function askPod(
  isReachable: (pod: PodRef) => Promise<boolean>,
  pod: PodRef,
  isThere: () => boolean,
): Promise<Sight> {
  const answers = await isReachable(pod);
  if (!isThere()) return { why: `pod ${pod.name} is gone, and tells nothing any more` };
  if (!answers) return { effect: `pod ${pod.name} is cut off` };
  const guess = "the network of this cluster seems to enforce no network policies";
  return { why: `pod ${pod.name} still answers: ${guess}` };
}

/** The pod that was cut off, and not on its way out. */
function isStill(pod: PodView | undefined, uid: string | undefined): boolean {
  return pod !== undefined && pod.uid === uid && !pod.isLeaving;
}

/** Where nobody can ask it: a pod whose own probes say that it is not ready any more. */
function lookAtPod(pod: PodView | undefined, name: string, uid: string | undefined): Sight {
  if (isStill(pod, uid) && pod?.isReady === false) {
    return { effect: `pod ${name} is not ready any more` };
  }
  return { why: `pod ${name} stays ready, and nobody could ask it before (get pods/proxy)` };
}
