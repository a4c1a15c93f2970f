import { TesseraError } from "../../../platform/errors/index.ts";
import type { Caller } from "../../../platform/http/index.ts";
import { type KubeClient, mayAccess } from "../../../platform/kube/index.ts";
import { hardwareFaults } from "../../objects/index.ts";
import { userOf } from "./kube-caller.ts";

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

/**
 * Rights by SubjectAccessReview, asked anew for each call: a right that was taken away is gone at
 * once. An API server that cannot be asked is an error, never a yes.
 */
export function createAccessCheck(client: KubeClient): AccessCheck {
  const { group, version, plural: resource } = hardwareFaults;
  const may: AccessCheck["may"] = async (caller, { verb, namespace }) => {
    const user = userOf(caller);
    if (user === undefined) return false;
    return await mayAccess(client, user, { verb, namespace, group, version, resource });
  };
  return {
    may,
    require: async (caller, question) => {
      if (await may(caller, question)) return;
      throw new TesseraError("E_HW_FORBIDDEN", { user: caller.name, ...question });
    },
  };
}
