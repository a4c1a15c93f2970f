/** Products that are computed twice or more often, on other devices where there are some. */
export {
  type Independence,
  type Redundancy,
  redundancyOf,
} from "./redundancy.ts";
export { vote } from "./vote.ts";
export type {
  CudaVoteOptions,
  OpenPart,
  OutvotedDevice,
  Vote,
  VoteOptions,
  VoteVerdict,
} from "./vote-types.ts";
