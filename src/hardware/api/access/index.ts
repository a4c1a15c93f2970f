export {
  type AccessCheck,
  createAccessCheck,
  type FaultVerb,
  faultVerbs,
} from "./access-check.ts";
export { type KubeCaller, userOf } from "./kube-caller.ts";
export { createTokenReviewAuthenticator } from "./token-review.ts";
