import { TesseraError } from "../../../platform/errors/index.ts";
import {
  type KubeClient,
  type Right,
  resourceTypes,
  reviewAccess,
  rightName,
} from "../../../platform/kube/index.ts";

/** The least that a campaign in pods needs. */
function campaignRights(namespace: string): readonly Right[] {
  const { jobs, pods } = resourceTypes;
  return [
    ...["create", "get", "list", "delete"].map((verb) => ({ verb, type: jobs, namespace })),
    { verb: "list", type: pods, namespace },
    { verb: "get", type: pods, subresource: "log", namespace },
  ];
}

/** Looks before anything is made. @throws E_CAMPAIGN that names every right that is missing. */
export async function checkCampaignRights(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await reviewAccess(client, campaignRights(namespace), { signal });
  const missing = found.filter(({ allowed }) => !allowed).map(rightName);
  if (missing.length === 0) return;
  throw new TesseraError("E_CAMPAIGN", { problem: `we may not ${missing.join(", ")}` });
}
