import type { Authenticator } from "../../../platform/http/index.ts";
import { createTokenReviewer, type TokenReviewerOptions } from "../../../platform/kube/index.ts";
import type { KubeCaller } from "./kube-caller.ts";

/**
 * Callers by the user the API server knows. Which routes they may use is asked for each verb; the
 * role only says that they are known. Every call gives an object of its own, so that notes can be
 * kept about one call.
 *
 * @throws TesseraError E_KUBE_* when the API server cannot be asked: nobody is let in unknown.
 */
export function createTokenReviewAuthenticator(options: TokenReviewerOptions): Authenticator {
  const reviewer = createTokenReviewer(options);
  return {
    identify: async (secret) => {
      const user = await reviewer.userOf(secret);
      if (user === undefined) return "unknown";
      const caller: KubeCaller = { name: user.username, role: "inject", user };
      return caller;
    },
  };
}
