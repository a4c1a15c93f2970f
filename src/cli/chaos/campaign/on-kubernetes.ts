import { createHash } from "node:crypto";
import type { CampaignPart } from "../../../chaos/campaign/index.ts";
import type { Invocation } from "../../invocation.ts";
import { openKube } from "../../open-kube.ts";
import { usageError } from "../../usage-error.ts";
import type { SpreadCampaign } from "./place.ts";
import { wholeOf } from "./request.ts";

/** Which pods make the runs of a campaign. */
export interface KubernetesPlace {
  readonly pods: number;
  readonly image: string;
}

const podsMax = 1000;
const command = "chaos campaign";

/** What `--on kubernetes` asks for. @throws E_USAGE */
export function readKubernetesPlace({ options }: Pick<Invocation, "options">): KubernetesPlace {
  const { pods, image } = options;
  const count = wholeOf(typeof pods === "string" ? pods : "");
  if (count === undefined || count < 1 || count > podsMax) {
    throw usageError(command, `--pods is not a whole number from 1 to ${podsMax}.`);
  }
  if (typeof image !== "string" || image === "") {
    throw usageError(command, "--on kubernetes needs --image: the image of this version.");
  }
  return { pods: count, image };
}

/** Makes the runs in pods of the cluster of the configuration, and keeps what they found in the book. */
export async function runInPods(
  invocation: Invocation,
  about: SpreadCampaign & { readonly place: KubernetesPlace },
): Promise<CampaignPart> {
  const [{ runCampaignOnKubernetes }, { randomSeed }] = await Promise.all([
    import("../../../chaos/campaign/on-kubernetes/index.ts"),
    import("../../../platform/rng/index.ts"),
  ]);
  const { client } = await openKube(invocation);
  const { request, place, seed, kept, onProgress } = about;
  try {
    return await runCampaignOnKubernetes({
      client,
      clock: invocation.clock,
      campaign: kept.label,
      start: createHash("sha256").update(randomSeed()).digest("hex").slice(0, 8),
      namespace: client.config.namespace,
      ...place,
      seed,
      range: { from: request.from, to: request.to },
      signal: invocation.signal,
      known: kept.known,
      onPart: (part) => kept.book.put(part),
      onProgress,
    });
  } finally {
    client.close();
  }
}
