import {
  isNotFound,
  type KubeClient,
  listAll,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import type { CampaignPart } from "../campaign-part.ts";
import { campaignLabel } from "./campaign-job.ts";
import { endedPods, readPodResult } from "./pod-results.ts";

/**
 * Takes over what an earlier start of a campaign left in the cluster: what its pods have finished is
 * handed on, the rest ends. A start that still runs loses its Jobs to this one.
 */
export async function takeOverJobs(
  client: KubeClient,
  about: { readonly namespace: string; readonly campaign: string; readonly seed: string },
  onPart: (part: CampaignPart) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, campaign, seed } = about;
  const labelSelector = `${campaignLabel}=${campaign}`;
  const { items } = await listAll<string>(client, resourceTypes.jobs, {
    namespace,
    labelSelector,
    project: ({ metadata }) => metadata.name ?? "",
    signal,
  });
  if (items.length === 0) return;
  for (const { name } of await endedPods(client, { namespace, labelSelector }, signal)) {
    const part = await readPodResult(client, { namespace, name }, seed, signal);
    if (!("problem" in part)) await onPart(part);
  }
  for (const name of items) await deleteJob(client, { namespace, name });
}

/** Deletes a Job and, soon after, its pods. One that is gone is gone. */
export async function deleteJob(
  client: KubeClient,
  ref: { readonly namespace: string; readonly name: string },
): Promise<void> {
  try {
    await client.delete(resourceTypes.jobs, ref, { propagation: "Background" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
