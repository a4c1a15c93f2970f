export { createNetwork, type NetworkOptions } from "./create-network.ts";
export {
  type Endpoint,
  type LinkClass,
  type LinkEffect,
  type LinkHandle,
  type LinkScope,
  type LinkState,
  type Network,
  type NetworkProfile,
  never,
} from "./network.ts";
export { usualNetwork } from "./profile.ts";
