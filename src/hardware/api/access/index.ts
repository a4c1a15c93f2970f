export {
  type AccessCheck,
  createAccessCheck,
  type FaultVerb,
  faultVerbs,
} from "./access-check.ts";
export { createTokenReviewAuthenticator } from "./token-review.ts";
