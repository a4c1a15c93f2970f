import { TesseraError } from "../../../platform/errors/index.ts";
import type { Caller } from "../../../platform/http/index.ts";
import type { KubeClient, KubeObject, ResourceType } from "../../../platform/kube/index.ts";
import { hardwareFaults } from "../../objects/index.ts";
import { type KubeUser, userOf } from "./kube-user.ts";

/** What people may be allowed to do with hardware faults in a namespace. */
export const faultVerbs = ["plan", "inject", "renew", "revert", "read", "audit"] as const;
export type FaultVerb = (typeof faultVerbs)[number];

/** What a call wants to do, and where. */
export interface AccessQuestion {
  readonly verb: FaultVerb;
  /** The namespace under test. */
  readonly namespace: string;
}

/** Asks the API server what a caller may do. */
export interface AccessCheck {
  may(caller: Caller, question: AccessQuestion): Promise<boolean>;
  /** @throws TesseraError E_HW_FORBIDDEN */
  require(caller: Caller, question: AccessQuestion): Promise<void>;
}

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

/**
 * Rights by SubjectAccessReview, asked anew for each call: a right that was taken away is gone at
 * once. An API server that cannot be asked is an error, never a yes.
 */
export function createAccessCheck(client: KubeClient): AccessCheck {
  const may: AccessCheck["may"] = async (caller, question) => {
    const user = userOf(caller);
    if (user === undefined) return false;
    const review = await client.create<SubjectAccessReview>(
      subjectAccessReviews,
      reviewOf(user, question),
    );
    return review.status?.allowed === true && review.status.denied !== true;
  };
  return {
    may,
    require: async (caller, question) => {
      if (await may(caller, question)) return;
      throw new TesseraError("E_HW_FORBIDDEN", { user: caller.name, ...question });
    },
  };
}

function reviewOf(
  user: KubeUser,
  { verb, namespace }: AccessQuestion,
): KubeObject & { readonly spec: object } {
  const { username, uid, groups, extra } = user;
  const { group, version, plural: resource } = hardwareFaults;
  return {
    metadata: {},
    spec: {
      user: username,
      groups,
      extra,
      ...(uid === undefined ? {} : { uid }),
      resourceAttributes: { verb, namespace, group, version, resource },
    },
  };
}
