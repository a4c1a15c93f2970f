import type { Caller } from "../../../platform/http/index.ts";

/** A user as the API server knows it; every part counts when it is asked what they may do. */
export interface KubeUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A caller whose token the API server has accepted. */
export interface KubeCaller extends Caller {
  readonly user: KubeUser;
}

/** The user behind a caller; undefined where no token was asked for. */
export function userOf(caller: Caller): KubeUser | undefined {
  return "user" in caller ? (caller as KubeCaller).user : undefined;
}
