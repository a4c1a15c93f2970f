import type { Caller } from "../../../platform/http/index.ts";
import type { KubeUser } from "../../../platform/kube/index.ts";

/** A caller whose token the API server has accepted. */
export interface KubeCaller extends Caller {
  readonly user: KubeUser;
}

/** The user behind a caller; undefined where no token was asked for. */
export function userOf(caller: Caller): KubeUser | undefined {
  return "user" in caller ? (caller as KubeCaller).user : undefined;
}
