import type { KubeClient } from "../client.ts";
import type { ResourceType } from "../resource-type.ts";
import type { KubeObject } from "../types.ts";
import type { KubeUser } from "./kube-user.ts";
import { reviewLimits } from "./review-limits.ts";

const subjectAccessReviews = {
  group: "authorization.k8s.io",
  version: "v1",
  plural: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
} as const satisfies ResourceType;

interface SubjectAccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean };
}

/** What somebody wants to do to a kind of object. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly version?: string;
  /** The whole cluster when absent. */
  readonly namespace?: string;
}

/**
 * Whether a user may do something, by SubjectAccessReview.
 *
 * @throws TesseraError E_KUBE_* when the API server cannot be asked: that is never a yes.
 */
export async function mayAccess(
  client: KubeClient,
  user: KubeUser,
  resourceAttributes: ResourceAttributes,
): Promise<boolean> {
  const { username, uid, groups, extra } = user;
  const spec = {
    user: username,
    groups,
    extra,
    ...(uid === undefined ? {} : { uid }),
    resourceAttributes,
  };
  const asked: KubeObject & { readonly spec: object } = { metadata: {}, spec };
  const { status } = await client.create<SubjectAccessReview>(
    subjectAccessReviews,
    asked,
    reviewLimits,
  );
  return status?.allowed === true && status.denied !== true;
}
