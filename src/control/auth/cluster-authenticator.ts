import type { KubeCaller } from "../../hardware/api/access/index.ts";
import { type Authenticator, type Role, roles } from "../../platform/http/index.ts";
import {
  Believed,
  createTokenReviewer,
  type KubeClient,
  type KubeUser,
  mayAccess,
} from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

export interface ClusterAuthenticatorOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Empty: tokens made for the API server itself. */
  readonly audiences: readonly string[];
}

/** What roles are verbs on. The resource need not exist: it is a name for rules of RBAC. */
const subject = { group: "tessera.dev", resource: "controlplanes" } as const;

/**
 * Callers with a token of Kubernetes. Their role is the highest whose verb the API server allows
 * them, believed for 10 s; somebody it allows none is known to the cluster and not to us.
 *
 * @throws TesseraError E_KUBE_* when the API server cannot be asked: nobody is let in unknown.
 */
export function createClusterAuthenticator(options: ClusterAuthenticatorOptions): Authenticator {
  const { client, clock, audiences } = options;
  const reviewer = createTokenReviewer({
    client,
    clock,
    ...(audiences.length === 0 ? {} : { audiences }),
  });
  const believed = new Believed<Role>(clock);
  return {
    identify: async (secret) => {
      const user = await reviewer.userOf(secret);
      if (user === undefined) return "unknown";
      const role = await believed.getOrAsk(JSON.stringify(user), () => highestRole(client, user));
      if (role === undefined) return "of somebody without rights here";
      // Two lives of one name are told apart by what the API server calls their identity.
      const tokenId = `kube:${user.uid ?? user.username}`;
      const caller: KubeCaller = { name: user.username, role, tokenId, user };
      return caller;
    },
  };
}

async function highestRole(client: KubeClient, user: KubeUser): Promise<Role | undefined> {
  for (const role of roles.toReversed()) {
    if (await mayAccess(client, user, { verb: role, ...subject })) return role;
  }
  return undefined;
}
