import { createAccessCheck, type FaultVerb, userOf } from "../../hardware/api/access/index.ts";
import type { Caller } from "../../platform/http/index.ts";
import type { KubeClient } from "../../platform/kube/index.ts";

/** Demands that a caller may themselves do what this server is about to do for them. */
export type RequireOwnRight = (
  caller: Caller,
  verb: FaultVerb,
  namespace: () => Promise<string> | string,
) => Promise<void>;

/**
 * The fault API knows only this server, which may break every namespace that it is bound in. Of somebody whom
 * the cluster vouches for the cluster also says what they may; a token of our own stands for nobody there.
 *
 * @param client whom tokens of the cluster are shown to; undefined where they are not accepted
 * @throws E_HW_FORBIDDEN; E_KUBE_* when the API server cannot be asked: that is never a yes
 */
export function requireOwnRight(client: KubeClient | undefined): RequireOwnRight {
  const access = client && createAccessCheck(client);
  return async (caller, verb, namespace) => {
    if (access === undefined || userOf(caller) === undefined) return;
    await access.require(caller, { verb, namespace: await namespace() });
  };
}
