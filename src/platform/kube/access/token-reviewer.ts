import { createHash } from "node:crypto";
import type { Clock } from "../../time/clock.ts";
import type { KubeClient } from "../client.ts";
import type { ResourceType } from "../resource-type.ts";
import type { KubeObject } from "../types.ts";
import { Believed } from "./believed.ts";
import type { KubeUser } from "./kube-user.ts";
import { reviewLimits } from "./review-limits.ts";

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

/** Service accounts of some clouds have tokens of several thousand characters. */
export const kubeTokenCharsMax = 16_384;

export interface TokenReviewerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The token must have been made for one of these. @default the API server's own */
  readonly audiences?: readonly string[];
}

/** Finds out whose token it is. */
export interface TokenReviewer {
  /**
   * The user, or undefined for a token that the API server does not accept.
   *
   * @throws TesseraError E_KUBE_* when the API server cannot be asked: nobody is let in unknown.
   */
  userOf(token: string): Promise<KubeUser | undefined>;
}

/**
 * Asks the API server whose token it is. Only accepted tokens are remembered, for 10 s and only by
 * their hash.
 */
export function createTokenReviewer(options: TokenReviewerOptions): TokenReviewer {
  const believed = new Believed<KubeUser>(options.clock);
  return {
    userOf: (token) => {
      const key = createHash("sha256").update(token, "utf8").digest("hex");
      return believed.getOrAsk(key, () => review(token, options));
    },
  };
}

async function review(token: string, options: TokenReviewerOptions): Promise<KubeUser | undefined> {
  const { client, audiences } = options;
  const spec = { token, ...(audiences === undefined ? {} : { audiences }) };
  const asked: KubeObject & { readonly spec: object } = { metadata: {}, spec };
  const { status } = await client.create<TokenReview>(tokenReviews, asked, reviewLimits);
  const username = status?.user?.username;
  if (status?.authenticated !== true || username === undefined || username === "") return undefined;
  // A server that knows nothing of audiences answers without them: its yes is about something else.
  if (audiences !== undefined && !audiences.some((one) => status.audiences?.includes(one))) {
    return undefined;
  }
  const { uid, groups = [], extra = {} } = status.user ?? {};
  return { username, groups, extra, ...(uid === undefined ? {} : { uid }) };
}
