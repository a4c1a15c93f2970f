import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import {
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import { version } from "../../../version.ts";
import type { CampaignPart } from "../campaign-part.ts";
import { partFromLog } from "../spread/index.ts";

interface PodObject extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** A pod of a campaign that ended well: what it printed is whole. */
export interface EndedPod {
  readonly name: string;
  /** Its index in its Job; -1 where it says none. */
  readonly place: number;
}

const indexAnnotation = "batch.kubernetes.io/job-completion-index";

/** The pods of a selection that ended well. */
export async function endedPods(
  client: KubeClient,
  selection: { readonly namespace: string; readonly labelSelector: string },
  signal: AbortSignal,
): Promise<readonly EndedPod[]> {
  const { items } = await listAll<PodObject, PodObject>(client, resourceTypes.pods, {
    ...selection,
    project: (pod) => pod,
    signal,
  });
  return items.flatMap(({ metadata, status }) =>
    status?.phase === "Succeeded"
      ? [
          {
            name: metadata.name ?? "",
            place: Number(metadata.annotations?.[indexAnnotation] ?? -1),
          },
        ]
      : [],
  );
}

/**
 * The part that a pod printed, or why there is none: its node may be gone, its log cut.
 *
 * @throws E_CAMPAIGN when another version printed it.
 */
export async function readPodResult(
  client: KubeClient,
  pod: { readonly namespace: string; readonly name: string },
  seed: string,
  signal: AbortSignal,
): Promise<CampaignPart | { readonly problem: string }> {
  let log: string;
  try {
    log = await client.logs(pod, { signal });
  } catch (error) {
    signal.throwIfAborted();
    return { problem: `the log of ${pod.name} cannot be read: ${messageOf(error)}` };
  }
  const part = partFromLog(log);
  if (part === undefined || part.seed !== seed) {
    return { problem: `the result in the log of ${pod.name} is not whole` };
  }
  if (part.version === version) return part;
  const problem = `the image is version ${part.version}, and this is ${version}`;
  throw new TesseraError("E_CAMPAIGN", { problem });
}
