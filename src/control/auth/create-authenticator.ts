import { type Authenticator, isOwnSecret } from "../../platform/http/index.ts";
import { type KubeClient, kubeTokenCharsMax } from "../../platform/kube/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { AdminToken } from "../admin-token.ts";
import { createAuthenticator } from "../store-ports.ts";
import { createClusterAuthenticator } from "./cluster-authenticator.ts";

/** Who may call, and how long what they present may be. */
export interface CallerRules {
  readonly authenticator: Authenticator;
  readonly secretCharsMax?: number;
}

/** Our own tokens and, where a cluster may vouch for callers, those of Kubernetes. */
export function createCallerRules(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly admin: AdminToken;
  readonly clusterTokens:
    | { readonly client: KubeClient; readonly audiences: readonly string[] }
    | undefined;
}): CallerRules {
  const { store, clock, admin, clusterTokens } = options;
  const own = createAuthenticator(store, { clock, admin });
  if (clusterTokens === undefined) return { authenticator: own };
  const cluster = createClusterAuthenticator({ ...clusterTokens, clock });
  return { authenticator: combine(own, cluster), secretCharsMax: kubeTokenCharsMax };
}

/**
 * Our own tokens first, so that they work while the API server does not; and one that looks like
 * ours is shown to nobody else.
 */
function combine(own: Authenticator, cluster: Authenticator): Authenticator {
  return {
    ...own,
    identify: async (secret) => {
      const found = await own.identify(secret);
      return found === "unknown" && !isOwnSecret(secret) ? await cluster.identify(secret) : found;
    },
  };
}
