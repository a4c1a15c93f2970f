export {
  type ClientCallOptions,
  createFaultClient,
  type FaultClient,
  type FaultClientOptions,
  type FaultFilter,
  type Health,
  type RevertOptions,
  type ToldFault,
  type XidType,
} from "./fault-client.ts";
export { openPortForward, type PortForward, type PortForwardOptions } from "./port-forward.ts";
