import type { Authenticator } from "../../../platform/http/index.ts";
import { hashSecret } from "../../../platform/http/index.ts";
import type { KubeClient, KubeObject, ResourceType } from "../../../platform/kube/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { KubeCaller, KubeUser } from "./kube-user.ts";

const tokenReviews = {
  group: "authentication.k8s.io",
  version: "v1",
  plural: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
} as const satisfies ResourceType;

interface TokenReview extends KubeObject {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly audiences?: readonly string[];
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

/** How long an accepted token is believed without asking again. */
const believedMs = 10_000;
const believedMax = 256;

export interface TokenReviewOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The token must have been made for one of these. @default the API server's own */
  readonly audiences?: readonly string[];
}

/**
 * Asks the API server whose token it is. Only accepted tokens are remembered, and only by their
 * hash. Every call gives an object of its own, so that notes can be kept about one call.
 *
 * @throws TesseraError E_KUBE_* when the API server cannot be asked: nobody is let in unknown.
 */
export function createTokenReviewAuthenticator(options: TokenReviewOptions): Authenticator {
  const { clock } = options;
  const believed = new Map<string, { readonly user: KubeUser; readonly untilMs: number }>();
  return {
    identify: async (secret) => {
      const key = hashSecret(secret);
      const known = believed.get(key);
      if (known !== undefined && clock.monotonicMs() < known.untilMs) return callerOf(known.user);
      believed.delete(key);
      const askedMs = clock.monotonicMs();
      const user = await review(secret, options);
      if (user === undefined) return "unknown";
      for (const oldest of believed.keys()) {
        if (believed.size < believedMax) break;
        believed.delete(oldest);
      }
      believed.set(key, { user, untilMs: askedMs + believedMs });
      return callerOf(user);
    },
  };
}

/** Which routes a caller may use is asked for each verb; the role only says that they are known. */
function callerOf(user: KubeUser): KubeCaller {
  return { name: user.username, role: "inject", user };
}

async function review(token: string, options: TokenReviewOptions): Promise<KubeUser | undefined> {
  const { client, audiences } = options;
  const spec = { token, ...(audiences === undefined ? {} : { audiences }) };
  const asked: KubeObject & { readonly spec: object } = { metadata: {}, spec };
  const { status } = await client.create<TokenReview>(tokenReviews, asked);
  const username = status?.user?.username;
  if (status?.authenticated !== true || username === undefined || username === "") return undefined;
  // A server that knows nothing of audiences answers without them: its yes is about something else.
  if (audiences !== undefined && !audiences.some((one) => status.audiences?.includes(one))) {
    return undefined;
  }
  const { uid, groups = [], extra = {} } = status.user ?? {};
  return { username, groups, extra, ...(uid === undefined ? {} : { uid }) };
}
